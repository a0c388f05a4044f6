/** Dangerous actions need a freshly typed password, so that a stranger at an open browser cannot take them. */
import { describe, expect, test } from 'vitest'
import { SESSION_SECONDS } from '../../../worker/db/lifetimes.ts'
import { runSql } from '../support/sql.ts'
import {
  call,
  createCourse,
  createPeople,
  createPerson,
  PASSWORD,
  signIn,
  uniqueName,
  type Person,
} from '../support/world.ts'

/** Ages a person's sessions until their password is one second too old. */
function grow(person: Person) {
  return runSql`update sessions set confirmed_at = confirmed_at - ${SESSION_SECONDS.confirmed + 1}
    where user_id = ${person.id}`
}

/** Every action that needs a fresh password. */
async function acts(): Promise<[string, Person, () => ReturnType<typeof call>][]> {
  const { course, teacher, student } = await createCourse()
  const [admin, other, second, gone] = await createPeople(0, 1, 0, 2)
  const by = (as: Person, method: string, path: string, json: unknown) =>
    [`${method} ${path} ${JSON.stringify(json)}`, as, () => call(method, path, { as, json })] as [
      string,
      Person,
      () => ReturnType<typeof call>,
    ]
  const username = uniqueName('made')
  const email = `${username}@example.test`
  const file = `username,password,email,role\n${uniqueName('file')},long enough,${uniqueName('f')}@example.test,teacher`
  const forced = `username,password,email\n${gone.username},,${gone.username}@example.test`
  return [
    by(student, 'POST', '/auth/tokens', { name: 'ci', scopes: ['read'] }),
    by(student, 'POST', '/auth/email', { email: `own-${email}` }),
    by(second, 'PATCH', `/user/${student.username}`, { emailConfirmed: true }),
    by(second, 'POST', '/auth/batch-signup', { newUsers: forced, force: true }),
    by(admin, 'PATCH', `/user/${student.username}`, { email: `new-${email}` }),
    by(admin, 'PATCH', `/user/${student.username}`, { role: 1 }),
    by(admin, 'PATCH', `/user/${student.username}`, { password: 'words by an admin' }),
    by(admin, 'POST', '/user', { username, email, role: 0, password: 'words by an admin' }),
    by(admin, 'POST', '/auth/batch-signup', { newUsers: file }),
    by(second, 'POST', '/runners', { name: 'rack' }),
    by(second, 'DELETE', `/user/${gone.username}`, undefined),
    by(teacher, 'PATCH', `/course/${course}/members`, {
      add: [{ user: other.username, role: 'ta' }],
    }),
    by(teacher, 'PUT', `/course/${course}`, { TAs: [other.username], students: [] }),
    by(teacher, 'PUT', '/course', { course, teacher: other.username }),
    by(second, 'POST', '/course', { course: uniqueName('Given '), teacher: other.username }),
  ]
}

describe('a fresh password', () => {
  test('is asked for by tokens, judge hosts, e-mail addresses, roles and erasing, and then the same call passes', async () => {
    for (const [what, person, act] of await acts()) {
      await grow(person)
      expect(await act(), what).toMatchObject({ status: 403, code: 'password_required' })
      const confirm = (password: string) => person.post('/auth/confirm-password', { password })
      expect((await confirm('not this one')).code).toBe('wrong_password')
      expect((await act()).code, what).toBe('password_required')
      expect((await confirm(PASSWORD)).status).toBe(200)
      expect(await act(), what).toMatchObject({ status: 200 })
    }
  })

  test('is not asked for by what gives nobody anything', async () => {
    const { course, teacher, student } = await createCourse()
    const [admin, claim] = [await createPerson(0), await createPerson(2, { emailConfirmed: false })]
    await Promise.all([grow(teacher), grow(admin), grow(claim)])
    const username = uniqueName('made')
    const json = { username, email: `${username}@example.test` }
    expect((await admin.post('/user', json)).status).toBe(200)
    const [name, address] = [uniqueName('listed'), `${claim.username}@example.test`]
    const newUsers = `username,password,email\n${name},long enough words,${name}@example.test`
    expect((await teacher.post('/auth/batch-signup', { newUsers, course })).status).toBe(200)
    for (const own of [{}, { email: address }])
      expect((await claim.post('/auth/email', own)).status).toBe(200)
    const plain = { displayedName: 'Renamed', active: true }
    expect((await admin.patch(`/user/${claim.username}`, plain)).status).toBe(200)
    for (const change of [{ add: [{ user: username, role: 'student' }] }, { remove: [username] }])
      expect((await teacher.patch(`/course/${course}/members`, change)).status).toBe(200)
    const lists = { TAs: [], students: [student.username] }
    expect((await teacher.put(`/course/${course}`, lists)).status).toBe(200)
    const renamed = { course, newCourse: uniqueName('Renamed ') }
    expect((await teacher.put('/course', renamed)).status).toBe(200)
    const own = { course: uniqueName('Own '), teacher: teacher.username }
    expect((await teacher.post('/course', own)).status).toBe(200)
  })

  test('signing in is one; an API token never is', async () => {
    const person = await createPerson(0)
    await grow(person)
    const signedIn = await signIn(person.username)
    const form = { name: 'ci', scopes: ['read', 'manage', 'admin'] }
    const made = await person.withSessionOf(signedIn).post('/auth/tokens', form)
    expect(made.status).toBe(200)
    const { token } = made.data
    const student = await createPerson(2)
    const calls = [
      ['PATCH', `/user/${student.username}`, { role: 0 }],
      ['POST', '/runners', { name: 'rack' }],
      ['DELETE', `/user/${student.username}`, undefined],
      ['POST', '/auth/confirm-password', { password: PASSWORD }],
      ['POST', '/auth/tokens', form],
    ] as const
    for (const [method, path, body] of calls)
      expect(await call(method, path, { token, json: body })).toMatchObject({
        status: 403,
        code: 'token_scope',
      })
    const renamed = { displayedName: 'Renamed by a script' }
    expect(
      (await call('PATCH', `/user/${student.username}`, { token, json: renamed })).status,
    ).toBe(200)
  })

  test('is tried ten times, then the caller must wait, as for changing it', async () => {
    const person = await createPerson(2)
    await runSql`insert into rate_limits (key, full_at_ms, allowed)
      values (${`password:user:${person.id}`}, ${Date.now() + 10 * 60_000}, 1)`
    const json = { password: PASSWORD }
    const answer = await person.post('/auth/confirm-password', json)
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0)
  })
})
