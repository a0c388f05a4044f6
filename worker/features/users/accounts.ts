/** Creating and changing accounts, for admins. */
import type { NewUser, UserChange } from '#contract/users'
import { insertLink } from '../../db/account-links.ts'
import type { Db } from '../../db/client.ts'
import { listAboutPerson, userInfoColumns } from '../../db/people.ts'
import type { Change } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
import { hashNewPassword } from '../../http/new-password.ts'
import { newSecret, sha256Hex } from '../../lib/ids.ts'
import { activationLetter, vouchedLetter } from '../../lib/mail-letters.ts'
import type { Mail } from '../../lib/mail.ts'
import { insertUser, updateUser, type FoundUser } from './queries.ts'

/**
 * Creates an account.
 * @param webOrigin where links lead; called only when one is needed
 * @returns the account, and the mail with its activation link when it needs one
 */
export async function createUser(
  db: Db,
  form: NewUser,
  webOrigin: () => string,
  change: Change,
): Promise<{ user: FoundUser | undefined; letter: Mail | null }> {
  const active = form.active && form.password !== undefined
  const link = active ? null : { origin: webOrigin(), token: newSecret() }
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
              group: `user:${change.actor.id}`,
            }),
      linkHash: link && (await sha256Hex(link.token)),
    },
    change,
  )
  const letter = link && activationLetter(link.origin, form.email, form.username, link.token)
  return { user, letter }
}

/**
 * Changes an account. A role above student requires a confirmed e-mail.
 * @param webOrigin where links lead; called only when one is needed
 * @returns the account, and the mail to choose a password when vouching for the e-mail ended the old one
 */
export async function changeUser(
  db: Db,
  user: FoundUser,
  { password, emailConfirmed, ...rest }: UserChange,
  basedOn: number | null,
  webOrigin: () => string,
  change: Change,
): Promise<{ user: FoundUser; letter: Mail | null }> {
  const isClaim = user.emailConfirmedAt === null
  const vouches = isClaim && emailConfirmed === true
  if (isClaim && !vouches && (rest.role ?? user.role) < user.role)
    throw new AppError('email_unconfirmed', { unconfirmed: [userInfoColumns(user)] })
  // A closed account gets no link, which would open it.
  const mailsLink = vouches && password === undefined && (rest.active ?? user.disabledAt === null)
  const link = mailsLink ? { origin: webOrigin(), token: newSecret() } : null
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
          group: `user:${change.actor.id}`,
        }),
      }),
      vouches,
    },
    basedOn,
    change,
  )
  if (!link) return { user: row, letter: null }
  const tokenHash = await sha256Hex(link.token)
  await insertLink(db, { userId: row.id, purpose: 'activate', tokenHash, now: change.now })
  return {
    user: row,
    letter: vouchedLetter(link.origin, row.email, row.username, link.token),
  }
}
