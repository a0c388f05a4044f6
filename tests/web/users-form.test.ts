/** The account form: the bodies for a new account and for a change, and how an account fills the form in. */
import { expect, it } from 'vitest'
import { ROLES } from '#contract/roles'
import { newUser, userChange, userItem } from '#contract/people/users'
import {
  fieldOfRefusal,
  toNewUser,
  toUserChange,
  valuesOf,
  type UserValues,
} from '../../web/features/users/user-values.ts'

const FILLED: UserValues = {
  username: 'ann',
  displayedName: 'Ann Lee',
  email: 'ann@example.org',
  role: String(ROLES.teacher),
  password: 'a long passphrase',
  active: true,
  vouches: false,
}

const STORED = userItem.parse({
  username: 'bob',
  displayedName: 'Bob Wu',
  email: 'bob@example.org',
  role: ROLES.student,
  emailConfirmed: false,
  active: true,
  createTime: 1,
  etag: '"1"',
})

it('each field of a new account arrives in its own field of the body', () => {
  expect(newUser.parse(toNewUser({ ...FILLED, username: ' ann ' }))).toEqual({
    username: 'ann',
    displayedName: 'Ann Lee',
    email: 'ann@example.org',
    role: ROLES.teacher,
    password: 'a long passphrase',
    active: true,
  })
})

it('a name and a password that are left empty are not sent', () => {
  const body = toNewUser({ ...FILLED, displayedName: ' ', password: '' })
  expect(body).toEqual({ username: 'ann', email: 'ann@example.org', role: ROLES.teacher })
})

it('a new account is a student’s, active and otherwise empty', () => {
  expect(valuesOf(null)).toEqual({
    username: '',
    displayedName: '',
    email: '',
    role: String(ROLES.student),
    password: '',
    active: true,
    vouches: false,
  })
})

it('a new account fills the form in with what was typed', () => {
  const stored = { ...STORED, ...newUser.parse(toNewUser(FILLED)) }
  expect(valuesOf(userItem.parse(stored))).toEqual({ ...FILLED, password: '' })
})

it.each<[change: Partial<UserValues>, body: object]>([
  [{}, {}],
  [{ displayedName: 'Robert' }, { displayedName: 'Robert' }],
  [{ email: 'rob@example.org' }, { email: 'rob@example.org' }],
  [{ role: String(ROLES.admin) }, { role: ROLES.admin }],
  [{ active: false }, { active: false }],
  [{ password: 'another passphrase' }, { password: 'another passphrase' }],
  [{ vouches: true }, { emailConfirmed: true }],
  [
    { email: 'rob@example.org', role: String(ROLES.teacher), vouches: true },
    { email: 'rob@example.org', role: ROLES.teacher, emailConfirmed: true },
  ],
])('of an account that is changed by %j only this is sent: %j', (change, body) => {
  const sent = toUserChange({ ...valuesOf(STORED), ...change }, STORED)
  expect(userChange.parse(sent)).toEqual(body)
})

it('an account that is not active is made active', () => {
  const opened = { ...STORED, active: false }
  expect(valuesOf(opened).active).toBe(false)
  expect(toUserChange({ ...valuesOf(opened), active: true }, opened)).toEqual({ active: true })
})

it.each([
  ['username_exists', {}, 'username'],
  ['email_exists', {}, 'email'],
  ['email_unconfirmed', { role: ROLES.teacher }, 'role'],
  ['last_admin', { active: false }, 'active'],
  ['last_admin', { role: ROLES.student }, 'role'],
  ['last_admin', { role: ROLES.student, active: true }, 'role'],
  ['rate_limited', {}, null],
] as const)('the refusal %s of %j is shown at the field %s', (code, sent, field) => {
  expect(fieldOfRefusal(code, sent)).toBe(field)
})
