/** Creating and changing accounts, for admins. */
import type { NewUser, UserChange } from '#contract/people/users'
import { insertLink } from '../../db/account-links.ts'
import type { Db } from '../../db/client.ts'
import { listAboutPerson, userInfoColumns } from '../../db/people.ts'
import type { Change } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
import { hashNewPassword } from '../../http/new-password.ts'
import { newSecret, sha256Hex } from '../../lib/ids.ts'
import { insertUser, updateUser, type UserRow } from './queries.ts'

/** An account as it was saved, and the token that activates it, when it needs one. */
interface Saved<User = UserRow> {
  user: User
  token: string | null
}

/** Creates an account. */
export async function createUser(
  db: Db,
  form: NewUser,
  change: Change,
): Promise<Saved<UserRow | undefined>> {
  const active = form.active && form.password !== undefined
  const token = active ? null : newSecret()
  const user = await insertUser(
    db,
    {
      username: form.username,
      email: form.email,
      displayedName: form.displayedName ?? form.username,
      role: form.role,
      active,
      passwordHash:
        form.password === undefined
          ? null
          : await hashNewPassword(form.password, 'password', {
              about: [form.username, form.email, form.displayedName ?? ''],
              network: `user:${change.actor.id}`,
            }),
      linkHash: token && (await sha256Hex(token)),
    },
    change,
  )
  return { user, token }
}

/**
 * Changes an account. A role above student requires a confirmed e-mail. Vouching for the e-mail ends the old password,
 * and the account is activated anew.
 */
export async function changeUser(
  db: Db,
  user: UserRow,
  { password, emailConfirmed, ...rest }: UserChange,
  basedOn: number | null,
  change: Change,
): Promise<Saved> {
  const isClaim = user.emailConfirmedAt === null
  const vouches = isClaim && emailConfirmed === true
  if (isClaim && !vouches && (rest.role ?? user.role) < user.role)
    throw new AppError('email_unconfirmed', { unconfirmed: [userInfoColumns(user)] })
  // A closed account gets no link, because a link would open it.
  const needsLink = vouches && password === undefined && (rest.active ?? user.disabledAt === null)
  const row = await updateUser(
    db,
    user,
    {
      ...rest,
      ...(password !== undefined && {
        passwordHash: await hashNewPassword(password, 'password', {
          about: [
            ...(await listAboutPerson(db, user.id)),
            rest.email ?? '',
            rest.displayedName ?? '',
          ],
          network: `user:${change.actor.id}`,
        }),
      }),
      vouches,
    },
    basedOn,
    change,
  )
  if (!needsLink) return { user: row, token: null }
  const token = newSecret()
  const tokenHash = await sha256Hex(token)
  await insertLink(db, { userId: row.id, purpose: 'activate', tokenHash, now: change.now })
  return { user: row, token }
}
