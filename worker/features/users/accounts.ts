/** What admins do with accounts, as far as it is more than SQL. */
import type { NewUser, UserChange } from '#contract/users'
import type { Db } from '../../db/client.ts'
import type { Change } from '../../http/change.ts'
import { hashNewPassword } from '../../http/new-password.ts'
import { newSecret, sha256Hex } from '../../lib/ids.ts'
import { activationLetter } from '../../lib/mail-letters.ts'
import type { Mail } from '../../lib/mail.ts'
import { insertUser, updateUser, type FoundUser } from './queries.ts'

/**
 * Makes an account.
 * @param webOrigin where links lead; asked only when one is needed
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
        form.password === undefined ? null : await hashNewPassword(form.password, 'password'),
      linkHash: link && (await sha256Hex(link.token)),
    },
    change,
  )
  const letter = link && activationLetter(link.origin, form.email, form.username, link.token)
  return { user, letter }
}

/** Changes an account. */
export async function changeUser(
  db: Db,
  user: FoundUser,
  { password, ...rest }: UserChange,
  basedOn: number | null,
  change: Change,
): Promise<FoundUser> {
  const passwordHash =
    password === undefined ? undefined : await hashNewPassword(password, 'password')
  return updateUser(db, user, { ...rest, ...(passwordHash && { passwordHash }) }, basedOn, change)
}
