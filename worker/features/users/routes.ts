/** /profile for everyone signed in, /user for admins. */
import { Hono, type Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { username } from '#contract/fields'
import { roleCan } from '#contract/roles'
import {
  newUser,
  profileChange,
  userChange,
  userListParams,
  type SavedUser,
} from '#contract/people/users'
import { changeOf } from '../../http/change.ts'
import { editedVersion, sendEditable } from '../../http/edit-tag.ts'
import { AppError } from '../../http/errors.ts'
import { inInstallation } from '../../http/installation-guard.ts'
import { endPages } from '../../http/live.ts'
import { linkMailFaults, originForLinks, sendLater } from '../../http/mail.ts'
import { ok } from '../../http/respond.ts'
import { demandFreshPassword, requireUser, type UserEnv } from '../../http/session.ts'
import { jsonBody, query } from '../../http/validate.ts'
import { activationLetter, linkTo, vouchedLetter } from '../../lib/mail-letters.ts'
import { changeUser, createUser } from './accounts.ts'
import { eraseUser } from './erase-queries.ts'
import { sendExport } from './export.ts'
import { getSummary, listUsers, toUserItem } from './list-queries.ts'
import { endUserSessions, findUser, getProfile, updateProfile, type UserRow } from './queries.ts'

const admin = inInstallation('users.manage')

interface TargetEnv extends UserEnv {
  Variables: UserEnv['Variables'] & { target: UserRow }
}

/** Puts the account named in the path at `c.var.target`. */
const target = createMiddleware<TargetEnv>(async (c, next) => {
  const name = username.safeParse(c.req.param('username'))
  const found = name.success ? await findUser(c.var.db, name.data) : undefined
  if (!found) throw new AppError('user_not_found')
  c.set('target', found)
  await next()
})

/**
 * Mails the link that activates an account; where no mail with a link can be sent, gives it to the admin to hand over.
 * @param token null: the account needs no link
 */
function giveLink(
  c: Context<TargetEnv>,
  letter: typeof activationLetter,
  { email, username }: UserRow,
  token: string | null,
): Pick<SavedUser, 'activationLink'> {
  if (token === null) return {}
  if (linkMailFaults(c.env).length > 0) return { activationLink: linkTo('', 'activate', token) }
  sendLater(c, letter(originForLinks(c.env), email, username, token))
  return {}
}

const profiles = new Hono<UserEnv>()
  .get('/profile/:username', requireUser, async (c) => {
    const name = username.safeParse(c.req.param('username'))
    const found = name.success && (await getProfile(c.var.db, c.var.user, name.data))
    if (!found) throw new AppError('user_not_found')
    const { profile, version } = found
    return version === null ? ok(c, profile) : sendEditable(c, version, profile)
  })
  .post('/profile', requireUser, jsonBody(profileChange), async (c) => {
    await updateProfile(c.var.db, c.req.valid('json'), editedVersion(c), changeOf(c))
    return ok(c, null)
  })
  .get('/auth/me/export', requireUser, (c) => sendExport(c))

const people = new Hono<TargetEnv>()
  .get('/user', requireUser, admin, query(userListParams), async (c) =>
    ok(c, await listUsers(c.var.db, c.req.valid('query'))),
  )
  .get('/user/summary', requireUser, admin, async (c) => ok(c, await getSummary(c.var.db)))
  .post('/user', requireUser, admin, jsonBody(newUser), async (c) => {
    const form = c.req.valid('json')
    if (roleCan(form.role, 'course.create')) demandFreshPassword(c)
    const { user, token } = await createUser(c.var.db, form, changeOf(c))
    return ok(c, user && { ...toUserItem(user), ...giveLink(c, activationLetter, user, token) })
  })
  .patch('/user/:username', requireUser, admin, target, jsonBody(userChange), async (c) => {
    const edit = c.req.valid('json')
    const { role, email, password, emailConfirmed } = edit
    if ((role ?? email ?? password ?? emailConfirmed) !== undefined) demandFreshPassword(c)
    const { db, target } = c.var
    const { user, token } = await changeUser(db, target, edit, editedVersion(c), changeOf(c))
    endPages(c, target.id)
    return ok(c, { ...toUserItem(user), ...giveLink(c, vouchedLetter, user, token) })
  })
  .delete('/user/:username', requireUser, admin, target, async (c) => {
    demandFreshPassword(c)
    await eraseUser(c.var.db, c.var.target, changeOf(c))
    endPages(c, c.var.target.id)
    return ok(c, null)
  })
  .delete('/user/:username/sessions', requireUser, admin, target, async (c) => {
    const { db, target } = c.var
    await endUserSessions(db, target.id, changeOf(c))
    endPages(c, target.id)
    return ok(c, null)
  })

export const users = new Hono<UserEnv>().route('/', profiles).route('/', people)
