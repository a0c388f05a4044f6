/** Values of the account form, and the bodies that are sent. */
import type * as z from 'zod'
import { roleCode, ROLES } from '#contract/roles'
import type { newUser, UserChange, UserItem } from '#contract/people/users'

export interface UserValues {
  username: string
  displayedName: string
  email: string
  /** The role as a text, because it is the value of a select. */
  role: string
  password: string
  active: boolean
  /** Whether the admin vouches for the e-mail address; the form asks only while the address is unconfirmed. */
  vouches: boolean
}

/** Initial values; a new account is a student's. */
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

/** The body of a new account. Empty fields are not sent: without a password the API mails a link. */
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

/** Only the changed fields, so that saving undoes no other person's change. */
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

/** The field that a refusal is shown at. */
export function fieldOfRefusal(code: string, sent: UserChange): keyof UserValues | null {
  if (code === 'username_exists') return 'username'
  if (code === 'email_exists') return 'email'
  if (code === 'email_unconfirmed') return 'role'
  if (code === 'last_admin') return sent.active === false ? 'active' : 'role'
  return null
}
