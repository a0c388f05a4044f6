/** The account form: what is typed, and what of it is sent. */
import type * as z from 'zod'
import { roleCode, ROLES } from '#contract/roles'
import type { newUser, UserChange, UserItem } from '#contract/users'

export interface UserValues {
  username: string
  displayedName: string
  email: string
  /** As a select holds it. */
  role: string
  password: string
  active: boolean
  /** The admin's word for the e-mail; asked only while it does not count. */
  vouches: boolean
}

/** The form as it opens; for nobody in particular it makes a student. */
export function valuesOf(user: UserItem | null): UserValues {
  return {
    username: user?.username ?? '',
    displayedName: user?.displayedName ?? '',
    email: user?.email ?? '',
    role: String(user?.role ?? ROLES.student),
    password: '',
    active: user?.active ?? true,
    vouches: false,
  }
}

/** A new account. What is left empty is not sent: no password means a mail with a link. */
export function toNewUser(values: UserValues): z.input<typeof newUser> {
  const { username, email, displayedName, password } = values
  return {
    username: username.trim(),
    email,
    role: roleCode.parse(Number(values.role)),
    ...(displayedName.trim() !== '' && { displayedName }),
    ...(password !== '' && { password }),
  }
}

/** Only what differs from the account as it was opened, so that nobody else's change is undone. */
export function toUserChange(values: UserValues, opened: UserItem): UserChange {
  const role = roleCode.parse(Number(values.role))
  return {
    ...(values.displayedName !== opened.displayedName && { displayedName: values.displayedName }),
    ...(values.email !== opened.email && { email: values.email }),
    ...(role !== opened.role && { role }),
    ...(values.active !== opened.active && { active: values.active }),
    ...(values.password !== '' && { password: values.password }),
    ...(values.vouches && { emailConfirmed: true }),
  }
}

/** Beside which field a refusal stands. */
export function fieldOfRefusal(code: string, sent: UserChange): keyof UserValues | null {
  if (code === 'username_exists') return 'username'
  if (code === 'email_exists') return 'email'
  if (code === 'email_unconfirmed') return 'role'
  if (code === 'last_admin') return sent.active === false ? 'active' : 'role'
  return null
}
