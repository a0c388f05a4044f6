/** A fresh password before what whoever finds an open browser must not do. */
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { SESSION_SECONDS } from '../../../worker/contract/limits.ts'
import {
  call,
  createCourse,
  createPerson,
  PASSWORD,
  uniqueName,
  type Person,
} from '../support/world.ts'

/** Makes the sessions of a person as old as a fresh password may be, and a second more. */
function grow(person: Person) {
  return env.DB.prepare('update sessions set confirmed_at = confirmed_at - ? where user_id = ?')
    .bind(SESSION_SECONDS.confirmed + 1, person.id)
    .run()
}

/** Every act that asks for it, and what makes it one. */
async function acts(): Promise<[string, Person, () => ReturnType<typeof call>][]> {
  const { course, teacher, student } = await createCourse()
  const [admin, other] = [await createPerson(0), await createPerson(1)]
  const by = (as: Person, method: string, path: string, json: unknown) =>
    [`${method} ${path} ${JSON.stringify(json)}`, as, () => call(method, path, { as, json })] as [
      string,
      Person,
      () => ReturnType<typeof call>,
    ]
  const username = uniqueName('made')
  const email = `${username}@example.test`
  const file = `username,password,email,role\n${uniqueName('file')},long enough,${uniqueName('f')}@example.test,teacher`
  return [
    by(student, 'POST', '/auth/tokens', { name: 'ci', scopes: ['read'] }),
    by(admin, 'PATCH', `/user/${student.username}`, { email: `new-${email}` }),
    by(admin, 'PATCH', `/user/${student.username}`, { role: 1 }),
    by(admin, 'PATCH', `/user/${student.username}`, { password: 'words by an admin' }),
    by(admin, 'POST', '/user', { username, email, role: 0, password: 'words by an admin' }),
    by(admin, 'POST', '/auth/batch-signup', { newUsers: file }),
    by(teacher, 'PATCH', `/course/${course}/members`, {
      add: [{ user: other.username, role: 'ta' }],
    }),
    by(teacher, 'PUT', `/course/${course}`, { TAs: [other.username], students: [] }),
    by(teacher, 'PUT', '/course', { course, teacher: other.username }),
  ]
}

describe('a fresh password', () => {
  test('is asked for by tokens, e-mail addresses and roles, and then the same call passes', async () => {
    for (const [what, person, act] of await acts()) {
      await grow(person)
      expect(await act(), what).toMatchObject({ status: 403, code: 'password_required' })
      const confirm = (password: string) =>
        call('POST', '/auth/confirm-password', { as: person, json: { password } })
      expect((await confirm('not this one')).code).toBe('wrong_password')
      expect((await act()).code, what).toBe('password_required')
      expect((await confirm(PASSWORD)).status).toBe(200)
      expect(await act(), what).toMatchObject({ status: 200 })
    }
  })

  test('is not asked for by what gives nobody anything', async () => {
    const { course, teacher, student } = await createCourse()
    const admin = await createPerson(0)
    await Promise.all([grow(teacher), grow(admin)])
    const username = uniqueName('made')
    const json = { username, email: `${username}@example.test` }
    expect((await call('POST', '/user', { as: admin, json })).status).toBe(200)
    for (const change of [{ add: [{ user: username, role: 'student' }] }, { remove: [username] }])
      expect(
        (await call('PATCH', `/course/${course}/members`, { as: teacher, json: change })).status,
      ).toBe(200)
    const lists = { TAs: [], students: [student.username] }
    expect((await call('PUT', `/course/${course}`, { as: teacher, json: lists })).status).toBe(200)
    const renamed = { course, newCourse: uniqueName('Renamed ') }
    expect((await call('PUT', '/course', { as: teacher, json: renamed })).status).toBe(200)
  })

  test('signing in is one; an API token never is', async () => {
    const person = await createPerson(0)
    await grow(person)
    const json = { username: person.username, password: PASSWORD }
    const signedIn = await call('POST', '/auth/session', { json })
    const cookie = (signedIn.headers.get('Set-Cookie') ?? '').split(';')[0] ?? ''
    const form = { name: 'ci', scopes: ['read', 'manage', 'admin'] }
    const made = await call('POST', '/auth/tokens', { as: { ...person, cookie }, json: form })
    expect(made.status).toBe(200)
    const { token } = made.data
    const student = await createPerson(2)
    const calls = [
      ['PATCH', `/user/${student.username}`, { role: 0 }],
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
    await env.DB.prepare('insert into rate_limits (key, full_at_ms, allowed) values (?, ?, 1)')
      .bind(`password:user:${person.id}`, Date.now() + 10 * 60_000)
      .run()
    const json = { password: PASSWORD }
    const answer = await call('POST', '/auth/confirm-password', { as: person, json })
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0)
  })
})
