/** The rows of a batch sign-up: the action of each row, and its faults. These tests make no accounts. */
import { describe, expect, test } from 'vitest'
import { batchSignupBody, type BatchSignupBody } from '#contract/people/auth'
import { ROLES, type RoleCode } from '#contract/roles'
import type { ExistingUser } from '../../../worker/features/auth/sign-up/batch-signup-queries.ts'
import {
  givesRole,
  judgeRow,
  readRows,
  toWrites,
  type SignupContext,
} from '../../../worker/features/auth/sign-up/batch-signup-rows.ts'

const HEAD = 'username,password,email,displayedName,role'
const WORDS = 'quite long words'

/** The body of a call with these rows below the header. */
function bodyOf(rows: string[], options: Partial<BatchSignupBody> = {}, head = HEAD) {
  return batchSignupBody.parse({ newUsers: [head, ...rows].join('\n'), ...options })
}

/** An existing account: by default a student whom the course made. */
function known(changes: Partial<ExistingUser> = {}): ExistingUser {
  const account = { id: 7, usernameKey: 'ada', email: 'ada@x.test', role: ROLES.student }
  const place = { courseRole: 'student', madeHere: 1, elsewhere: 0, isOpened: 0 } as const
  return { ...account, ...place, confirmed: 0, ...changes }
}

/** The data by which rows are judged. */
function contextOf(role: RoleCode, body: BatchSignupBody, ...existing: ExistingUser[]) {
  const actor = {
    id: 1,
    username: 'sender',
    displayedName: '',
    role,
    email: '',
    emailConfirmedAt: 1,
    confirmDueAt: null,
    bio: '',
  }
  return {
    actor,
    body,
    byName: new Map(existing.map((user) => [user.usernameKey, user])),
    byEmail: new Map(
      existing.filter(({ confirmed }) => confirmed === 1).map((user) => [user.email, user]),
    ),
    seen: new Set<string>(),
  } satisfies SignupContext
}

/** The outcome of rows: the action of each, or its faults as `column: code`. */
function judged(context: SignupContext): (string | string[])[] {
  const { rows } = readRows(context.body)
  return rows
    .map((row) => judgeRow(row, context))
    .map(({ action, faults }) =>
      action === 'error'
        ? (faults ?? []).map(({ path, code }) => `${path.join()}: ${code}`)
        : action,
    )
}

const admin = (body: BatchSignupBody, ...existing: ExistingUser[]) =>
  judged(contextOf(ROLES.admin, body, ...existing))
const teacher = (body: BatchSignupBody, ...existing: ExistingUser[]) =>
  judged(contextOf(ROLES.teacher, body, ...existing))

describe('a row is read', () => {
  test('with its name in capitals where that is asked for, its e-mail in small letters, and empty cells as absent', () => {
    const rows = [
      ` ada ,${WORDS}, ADA@X.test , Ada L , Teacher `,
      'bob,,bob@x.test,,',
      'cid,,cid@x.test, ,2',
      'dan,,dan@x.test,,admin',
      'eve,,eve@x.test,,0',
      'fay,,fay@x.test,,1',
      'gil,,gil@x.test,,student',
    ]
    const blank = { password: '', displayedName: null, role: null }
    const { rows: read, errors } = readRows(bodyOf(rows))
    expect(errors).toEqual([])
    expect(read).toEqual([
      {
        line: 2,
        username: 'ada',
        password: WORDS,
        email: 'ada@x.test',
        displayedName: 'Ada L',
        role: 1,
      },
      { ...blank, line: 3, username: 'bob', email: 'bob@x.test' },
      { ...blank, line: 4, username: 'cid', email: 'cid@x.test', role: 2 },
      { ...blank, line: 5, username: 'dan', email: 'dan@x.test', role: 0 },
      { ...blank, line: 6, username: 'eve', email: 'eve@x.test', role: 0 },
      { ...blank, line: 7, username: 'fay', email: 'fay@x.test', role: 1 },
      { ...blank, line: 8, username: 'gil', email: 'gil@x.test', role: 2 },
    ])
    const loud = readRows(bodyOf(rows, { uppercase: true })).rows
    expect(loud.map(({ username }) => username)).toEqual([
      'ADA',
      'BOB',
      'CID',
      'DAN',
      'EVE',
      'FAY',
      'GIL',
    ])
  })

  test.each([
    ['x y,,x@x.test,,', ['username: invalid']],
    ['ada,,nowhere,,', ['email: email']],
    ['ada,,a@x.test,,boss', ['role: invalid']],
    [`ada,,a@x.test,${'n'.repeat(33)},`, ['displayedName: max_length']],
    [',,,,x', ['username: required', 'email: required', 'role: invalid']],
  ])('and %j is refused by column', (row, faults) => {
    const { rows, errors } = readRows(bodyOf([row]))
    expect(rows).toEqual([])
    expect(errors[0]?.line).toBe(2)
    expect(errors[0]?.faults?.map(({ path, code }) => `${path.join()}: ${code}`)).toEqual(faults)
  })

  test('without the column of passwords only where links are mailed', () => {
    const head = 'username,email'
    expect(() => readRows(bodyOf(['ada,a@x.test'], {}, head))).toThrow()
    expect(readRows(bodyOf(['ada,a@x.test'], { mailLinks: true }, head)).rows).toHaveLength(1)
    expect(() => readRows(bodyOf(['ada,x'], { mailLinks: true }, 'username,password'))).toThrow()
  })
})

describe('a row about somebody new', () => {
  test.each<[string, string, Partial<BatchSignupBody>, string | string[]]>([
    ['creates', `ada,${WORDS},a@x.test,,`, {}, 'create'],
    ['needs a password', 'ada,,a@x.test,,', {}, ['password: required']],
    ['needs none where a link is mailed', 'ada,,a@x.test,,', { mailLinks: true }, 'create'],
    ['has one of eight characters', 'ada,seven c,a@x.test,,', {}, ['password: min_length']],
    [
      'has no common one, also where a link could be mailed',
      'ada,password1,a@x.test,,',
      { mailLinks: true },
      ['password: common_password'],
    ],
    [
      'has none of their username',
      'adalovelace,adalovelace1,a@x.test,,',
      {},
      ['password: common_password'],
    ],
    [
      'has none of their e-mail',
      'ada,countess1,countess@x.test,,',
      {},
      ['password: common_password'],
    ],
    [
      'has none of their name',
      'ada,lovelace12,a@x.test,Ada Lovelace,',
      {},
      ['password: common_password'],
    ],
    [
      'has none of the course',
      'ada,Graphtheory1,a@x.test,,',
      { course: 'Graphtheory' },
      ['password: common_password'],
    ],
  ])('%s', (_what, row, options, outcome) => {
    expect(admin(bodyOf([row], options))).toEqual([outcome])
  })

  test('whose name or e-mail stands in a row above is refused, in any case', () => {
    const rows = [
      `Ada,${WORDS},a@x.test,,`,
      `aDA,${WORDS},b@x.test,,`,
      `bob,${WORDS},A@x.test,,`,
      `cid,${WORDS},c@x.test,,`,
    ]
    expect(admin(bodyOf(rows))).toEqual([
      'create',
      ['username: twice_in_file'],
      ['email: twice_in_file'],
      'create',
    ])
  })

  test('has no e-mail that counts for another account; a mere claim to it is in nobody’s way', () => {
    const body = bodyOf([`new,${WORDS},ada@x.test,,`])
    expect(admin(body, known({ confirmed: 1 }))).toEqual([['email: email_taken']])
    expect(admin(body, known({ confirmed: 0 }))).toEqual(['create'])
  })

  test.each([
    [ROLES.admin, 'admin', 'create'],
    [ROLES.admin, 'teacher', 'create'],
    [ROLES.teacher, 'admin', ['role: role_too_high']],
    [ROLES.teacher, 'teacher', ['role: role_too_high']],
    [ROLES.teacher, 'student', 'create'],
  ] as const)('by role %i may be a %s: %j', (sender, role, outcome) => {
    const body = bodyOf([`ada,${WORDS},a@x.test,,${role}`], { course: 'Any' })
    expect(judged(contextOf(sender, body))).toEqual([outcome])
  })
})

describe('a row about somebody who is there', () => {
  const row = 'ada,,ada@x.test,,'
  const course = 'Any'

  test.each<[string, Partial<BatchSignupBody>, Partial<ExistingUser>, string | string[]]>([
    ['does nothing without a course', {}, {}, 'none'],
    ['does nothing for who is in it', { course }, {}, 'none'],
    ['does nothing for its assistant or teacher', { course }, { courseRole: 'ta' }, 'none'],
    ['enrols who is not', { course }, { courseRole: null, confirmed: 1, madeHere: 0 }, 'enrol'],
    ['enrols whom the course has made', { course }, { courseRole: null }, 'enrol'],
    [
      'enrols nobody else whose e-mail does not count',
      { course },
      { courseRole: null, madeHere: 0 },
      ['username: unconfirmed'],
    ],
    [
      'enrols nobody by another e-mail',
      { course },
      { courseRole: null, email: 'other@x.test' },
      ['email: email_differs'],
    ],
    [
      'by force, from an admin, enrols and gives the e-mail',
      { course, force: true },
      { courseRole: null, email: 'other@x.test' },
      'update',
    ],
    ['updates by force', { force: true }, {}, 'update'],
  ])('%s', (_what, options, account, outcome) => {
    expect(admin(bodyOf([row], options), known(account))).toEqual([outcome])
  })

  test('says nothing of a password that is not to be given, and refuses a bad one that is', () => {
    const bad = bodyOf(['ada,short,ada@x.test,,'])
    expect(admin(bad, known())).toEqual(['none'])
    expect(admin({ ...bad, force: true }, known())).toEqual([['password: min_length']])
  })

  test('by force takes no e-mail that counts for somebody else', () => {
    const body = bodyOf(['ada,,bob@x.test,,'], { force: true })
    const other = known({ id: 8, usernameKey: 'bob', email: 'bob@x.test', confirmed: 1 })
    expect(admin(body, known(), other)).toEqual([['email: email_taken']])
    expect(admin(bodyOf([row], { force: true }), known({ confirmed: 1 }))).toEqual(['update'])
  })

  test.each<[string, Partial<ExistingUser>, string, string | string[]]>([
    ['no admin is demoted', { role: 0 }, 'teacher', ['role: admin_by_file']],
    ['an admin stays one without a role', { role: 0 }, '', 'update'],
    ['an admin stays one by the same role', { role: 0, confirmed: 1 }, 'admin', 'update'],
    ['a teacher is demoted', { role: 1, confirmed: 1 }, 'student', 'update'],
    ['whose e-mail does not count rises no higher', { role: 2 }, 'teacher', ['role: unconfirmed']],
    ['whose e-mail does not count keeps a role', { role: 1 }, 'teacher', 'update'],
    ['whose e-mail counts rises', { role: 2, confirmed: 1 }, 'teacher', 'update'],
  ])('by force from an admin: %s', (_what, account, role, outcome) => {
    const body = bodyOf([`ada,,ada@x.test,,${role}`], { force: true })
    expect(admin(body, known(account))).toEqual([outcome])
  })

  test.each<[string, Partial<ExistingUser>, string | string[]]>([
    ['a student whom the course made and nobody has opened', {}, 'update'],
    ['not who is no member', { courseRole: null }, ['username: not_your_student']],
    ['not an assistant', { courseRole: 'ta' }, ['username: not_your_student']],
    ['not who teaches elsewhere', { role: 1 }, ['username: not_your_student']],
    ['not who is in another course', { elsewhere: 1 }, ['username: student_elsewhere']],
    ['not who has signed in', { isOpened: 1 }, ['username: has_signed_in']],
    ['not whom another course made', { madeHere: 0 }, ['username: not_made_here']],
    ['not with another e-mail', { email: 'other@x.test' }, ['email: email_differs']],
    [
      'nor is a stranger’s changed',
      { courseRole: null, email: 'other@x.test' },
      ['username: not_your_student', 'email: email_differs'],
    ],
  ])('by force from a teacher: %s', (_what, account, outcome) => {
    const body = bodyOf([row], { course, force: true })
    expect(teacher(body, known(account))[0]).toEqual(outcome)
  })
})

test('what is written has each row that does something, its password apart', () => {
  const rows = [
    `new,${WORDS},new@x.test,New One,teacher`,
    `ada,${WORDS},ada@x.test,Ada,`,
    `bob,${WORDS},bob@x.test,,`,
    'out,,out@x.test,,',
  ]
  const body = bodyOf(rows, { course: 'Any', mailLinks: true })
  const context = contextOf(
    ROLES.admin,
    body,
    known({ courseRole: null }),
    known({ id: 8, usernameKey: 'bob', email: 'bob@x.test' }),
  )
  const write = { displayedName: null, role: null, passwordHash: null }
  const created = {
    ...write,
    action: 'create',
    username: 'new',
    email: 'new@x.test',
    displayedName: 'New One',
    role: 1,
  }
  const enrolled = { ...write, action: 'enrol', username: 'ada', email: 'ada@x.test' }
  const waiting = { ...write, action: 'create', username: 'out', email: 'out@x.test' }
  expect(toWrites(readRows(body).rows, context)).toEqual({
    writes: [created, { ...enrolled, displayedName: 'Ada' }, waiting],
    passwords: [WORDS, null, null],
  })
  const forced = { ...context, body: { ...body, force: true } }
  const { writes, passwords } = toWrites(readRows(body).rows, forced)
  expect(writes.map(({ action }) => action)).toEqual(['create', 'update', 'update', 'create'])
  expect(passwords).toEqual([WORDS, WORDS, WORDS, null])
  expect([0, 1, 2, null].map((role) => givesRole({ role: role as RoleCode | null }))).toEqual([
    true,
    true,
    false,
    false,
  ])
})
