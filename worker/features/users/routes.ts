/** /profile for everyone signed in, /user for admins. */
import type { Context } from 'hono'
import { username } from '#contract/fields'
import type { SavedUser } from '#contract/people/users'
import { roleCan } from '#contract/roles'
import { changeOf } from '../../http/change.ts'
import { editedVersion, sendEditable } from '../../http/edit-tag.ts'
import { guardInPath } from '../../http/guard.ts'
import { endPages } from '../../http/live.ts'
import { linkMailFaults, originForLinks, sendLater } from '../../http/mail.ts'
import { ok } from '../../http/respond.ts'
import { route } from '../../http/route.ts'
import { demandFreshPassword, type UserEnv } from '../../http/session.ts'
import { activationLetter, linkTo, vouchedLetter } from '../../lib/mail-letters.ts'
import { changeUser, createUser } from './accounts.ts'
import { eraseUser } from './erase-queries.ts'
import { sendExport } from './export.ts'
import { getSummary, listUsers, toUserItem } from './list-queries.ts'
import { endUserSessions, findUser, getProfile, updateProfile, type UserRow } from './queries.ts'

/** The account named in the path. */
const userInPath = guardInPath(
  'person',
  'user_not_found',
  username,
  (c, name) => findUser(c.var.db, name),
  'username',
)

/** The profile of the person named in the path. */
const profileInPath = guardInPath(
  'person',
  'user_not_found',
  username,
  (c, name) => getProfile(c.var.db, c.var.user, name),
  'username',
)

/**
 * Mails the link that activates an account; if no mail with a link can be sent, gives the link to the admin to hand over.
 * @param token null: the account needs no link
 */
function giveLink(
  c: Context<UserEnv>,
  letter: typeof activationLetter,
  { email, username }: UserRow,
  token: string | null,
): Pick<SavedUser, 'activationLink'> {
  if (token === null) return {}
  if (linkMailFaults(c.env).length > 0) return { activationLink: linkTo('', 'activate', token) }
  sendLater(c, letter(originForLinks(c.env), email, username, token))
  return {}
}

export const users = [
  route('GET /profile/:username', profileInPath, (c, { person: { profile, version } }) =>
    version === null ? profile : sendEditable(c, version, profile),
  ),
  route('POST /profile', (c, { body }) =>
    updateProfile(c.var.db, body, editedVersion(c), changeOf(c)),
  ),
  route('GET /auth/me/export', (c) => sendExport(c)),
  route('GET /user', (c, { query }) => listUsers(c.var.db, query)),
  route('GET /user/summary', (c) => getSummary(c.var.db)),
  route('POST /user', async (c, { body }) => {
    if (roleCan(body.role, 'course.create')) demandFreshPassword(c)
    const { user, token } = await createUser(c.var.db, body, changeOf(c))
    return ok(c, user && { ...toUserItem(user), ...giveLink(c, activationLetter, user, token) })
  }),
  route('PATCH /user/:username', userInPath, async (c, { person, body }) => {
    const { role, email, password, emailConfirmed } = body
    if ((role ?? email ?? password ?? emailConfirmed) !== undefined) demandFreshPassword(c)
    const edited = editedVersion(c)
    const { user, token } = await changeUser(c.var.db, person, body, edited, changeOf(c))
    endPages(c, person.id)
    return { ...toUserItem(user), ...giveLink(c, vouchedLetter, user, token) }
  }),
  route('DELETE /user/:username', userInPath, async (c, { person }) => {
    demandFreshPassword(c)
    await eraseUser(c.var.db, person, changeOf(c))
    endPages(c, person.id)
  }),
  route('DELETE /user/:username/sessions', userInPath, async (c, { person }) => {
    await endUserSessions(c.var.db, person.id, changeOf(c))
    endPages(c, person.id)
  }),
]
