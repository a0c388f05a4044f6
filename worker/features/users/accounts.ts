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
 * @returns the account, and the mail with its activation link when it needs one
 */
export async function createUser(
  db: Db,
  form: NewUser,
  origin: string,
  change: Change,
): Promise<{ user: FoundUser | undefined; letter: Mail | null }> {
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
        form.password === undefined ? null : await hashNewPassword(form.password, 'password'),
      linkHash: token === null ? null : await sha256Hex(token),
    },
    change,
  )
  const letter = token === null ? null : activationLetter(origin, form.email, form.username, token)
  return { user, letter }
}

/** Changes an account. */
export async function changeUser(
  db: Db,
  user: FoundUser,
  { password, ...rest }: UserChange,
  change: Change,
): Promise<FoundUser> {
  const passwordHash =
    password === undefined ? undefined : await hashNewPassword(password, 'password')
  return updateUser(db, user, { ...rest, ...(passwordHash && { passwordHash }) }, change)
}
