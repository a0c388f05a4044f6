/** A batch sign-up stores accounts, members, the course's version and its audit entry in one transaction. */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { openDb } from '../../../worker/db/client.ts'
import {
  storeSignup,
  type SignupWrite,
} from '../../../worker/features/auth/sign-up/batch-signup-queries.ts'
import { allRows, firstRow, firstValue, runSql } from '../support/sql.ts'
import {
  call,
  createCourse,
  createPeople,
  createPerson,
  uniqueName,
  type Person,
} from '../support/world.ts'

const db = openDb(env.DB)
const NOW = 1_800_000_000

/** Stores rows on behalf of a person. */
async function store(as: Person, course: string | null, ...writes: Partial<SignupWrite>[]) {
  const whole = writes.map((write): SignupWrite => {
    const username = write.username ?? uniqueName('row')
    const rest = { displayedName: null, role: null, passwordHash: null }
    return { action: 'create', username, email: `${username}@file.test`, ...rest, ...write }
  })
  const origin = { actorId: as.id, course, ip: '203.0.113.5', now: NOW }
  await db.batch(storeSignup(db, whole, origin))
  return whole.map(({ username }) => username)
}

const accountOf = (username: string) =>
  firstRow`select username, username_key, email, displayed_name, bio, role, password_hash, active, created_at,
    email_confirmed_at, (select name from courses where id = made_in_course_id) as made_in
    from users where username = ${username}`

test('an admin’s new account counts at once; a teacher’s is the course’s, and a claim', async () => {
  const { course, teacher } = await createCourse()
  const admin = await createPerson(0)
  const given = { displayedName: 'Given', role: 1, passwordHash: 'hash' } as const
  const [full = ''] = await store(admin, course, { ...given, username: uniqueName('Full') })
  const [bare = ''] = await store(teacher, course, { username: uniqueName('Bare') })
  const common = { bio: '', created_at: NOW }
  expect(await accountOf(full)).toEqual({
    ...common,
    username: full,
    username_key: full.toLowerCase(),
    email: `${full}@file.test`,
    displayed_name: 'Given',
    role: 1,
    password_hash: 'hash',
    active: 1,
    email_confirmed_at: NOW,
    made_in: null,
  })
  expect(await accountOf(bare)).toEqual({
    ...common,
    username: bare,
    username_key: bare.toLowerCase(),
    email: `${bare}@file.test`,
    displayed_name: bare,
    role: 2,
    password_hash: null,
    active: 0,
    email_confirmed_at: null,
    made_in: course,
  })
  const entries = await allRows`select actor_id as actor, subject, detail, ip, created_at as time
    from audit_entries where action = 'user.batch_signup' and subject = ${course} order by id`
  const entry = { subject: course, ip: '203.0.113.5', time: NOW }
  const detail = '{"created":1,"updated":0,"enrolled":0}'
  expect(entries).toEqual([
    { ...entry, actor: admin.id, detail },
    { ...entry, actor: teacher.id, detail },
  ])
})

test('everybody in the file is enrolled but the course’s teacher; who is in stays what they are', async () => {
  const { course, teacher, ta, student } = await createCourse()
  const [admin, known] = await createPeople(0, 2)
  const other = await createCourse()
  const named = [teacher, ta, student, known].map(({ username }) => ({
    action: 'update' as const,
    username,
    email: `${username}@example.test`,
  }))
  const versionOf = (name: string) => firstValue`select version from courses where name = ${name}`
  const [before, beside] = [await versionOf(course), await versionOf(other.course)]
  await store(admin, course, ...named, { action: 'enrol', username: other.student.username })
  const names = async (of: string) => {
    const { data } = await admin.get(`/course/${of}`)
    return [data.TAs, data.students].map((list: Person[]) => list.map(({ username }) => username))
  }
  const students = [student, known, other.student].map(({ username }) => username)
  expect(await names(course)).toEqual([
    [ta.username],
    students.toSorted((left, right) => (left.toLowerCase() < right.toLowerCase() ? -1 : 1)),
  ])
  expect(await names(other.course)).toEqual([[other.ta.username], [other.student.username]])
  expect(await versionOf(course)).toBe(Number(before) + 1)
  expect(await versionOf(other.course)).toBe(beside)
  // A file without changes does not edit the course.
  await store(admin, course)
  expect(await versionOf(course)).toBe(Number(before) + 1)
  const [detail] = await allRows`select detail from audit_entries
    where action = 'user.batch_signup' and subject = ${course} order by id`
  expect(detail).toEqual({ detail: '{"created":0,"updated":4,"enrolled":1}' })
})

test('an update by an admin writes what the row gives and ends what that makes unsafe, for nobody else', async () => {
  const [admin, whole, same, moved, other] = await createPeople(0, 2, 2, 2, 2)
  const { course } = await createCourse()
  const people = [whole, same, moved, other]
  const tokens = new Map<number, string>()
  for (const person of people) {
    const made = await person.post('/auth/tokens', { name: 'ci', scopes: ['read'] })
    tokens.set(person.id, made.data.token)
    await runSql`insert into account_links (user_id, purpose, token_hash, expires_at)
      values (${person.id}, 'reset', ${person.username}, 99999999999)`
    await runSql`update users set made_in_course_id = (select id from courses where name = ${course})
      where id = ${person.id}`
  }
  const emailOf = ({ username }: Person) => `${username}@example.test`
  const update = (person: Person, change: Partial<SignupWrite>) => ({
    action: 'update' as const,
    username: person.username.toUpperCase(),
    email: emailOf(person),
    ...change,
  })
  const given = { displayedName: 'Given', role: 1, passwordHash: 'new hash' } as const
  await store(
    admin,
    null,
    update(whole, given),
    update(same, { role: 2 }),
    update(moved, { email: 'moved@file.test' }),
  )
  const before = {
    bio: '',
    active: 1,
    created_at: expect.any(Number),
    email_confirmed_at: expect.any(Number),
  }
  const kept = ({ username }: Person) => ({
    ...before,
    username,
    username_key: username,
    email: `${username}@example.test`,
    displayed_name: `The ${username}`,
    role: 2,
    password_hash: expect.stringMatching(/^\$scrypt/),
    made_in: course,
  })
  const changed = { displayed_name: 'Given', role: 1, password_hash: 'new hash' }
  expect(await accountOf(whole.username)).toEqual({ ...kept(whole), ...changed })
  expect(await accountOf(same.username)).toEqual(kept(same))
  const left = { email: 'moved@file.test', made_in: null }
  expect(await accountOf(moved.username)).toEqual({ ...kept(moved), ...left })
  expect(await accountOf(other.username)).toEqual(kept(other))
  const access = async (person: Person) => [
    (await person.get('/auth/me')).status,
    (await call('GET', '/auth/me', { token: tokens.get(person.id) ?? '' })).status,
    await firstValue`select count(*) from account_links where user_id = ${person.id}`,
  ]
  expect(await access(whole)).toEqual([401, 401, 0])
  expect(await access(same)).toEqual([200, 200, 1])
  expect(await access(moved)).toEqual([200, 200, 0])
  expect(await access(other)).toEqual([200, 200, 1])
})
