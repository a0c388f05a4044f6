/** Personal API tokens. */
import { describe, expect, test } from 'vitest'
import { allRows, numbersBelow, runSql } from '../support/sql.ts'
import {
  call,
  createPeople,
  createPerson,
  createProblem,
  registerRunner,
  type Person,
} from '../support/world.ts'

async function makeToken(as: Person, scopes: string[], days?: number) {
  const answer = await as.post('/auth/tokens', { name: 'for a script', scopes, days })
  expect(answer.status).toBe(200)
  return answer.data
}

describe('a token', () => {
  test('is shown once, kept as a hash, listed without its secret, and revoked', async () => {
    const [person, stranger] = await createPeople(2, 2)
    const made = await makeToken(person, ['read'])
    expect(made.token).toMatch(/^[\w-]{43}$/)
    const rows = await allRows`select * from api_tokens`
    expect(JSON.stringify(rows)).not.toContain(made.token)
    const { token, ...item } = made
    expect((await person.get('/auth/tokens')).data).toEqual([item])
    expect((await call('GET', '/auth/me', { token })).data.username).toBe(person.username)
    expect((await stranger.delete(`/auth/tokens/${made.id}`)).status).toBe(404)
    expect((await person.delete(`/auth/tokens/${made.id}`)).status).toBe(200)
    expect((await call('GET', '/auth/me', { token })).status).toBe(401)
  })

  test('is over when its time is, when its owner is closed, and never outgrows its owner', async () => {
    const [admin, person] = await createPeople(0, 2)
    const made = await makeToken(person, ['read', 'submit', 'manage', 'admin'], 1)
    expect((await call('GET', '/user', { token: made.token })).status).toBe(403)
    await runSql`update api_tokens set expires_at = expires_at - 86400 where id = ${made.id}`
    expect((await call('GET', '/auth/me', { token: made.token })).status).toBe(401)
    const other = await makeToken(person, ['read'])
    await runSql`update users set active = 0 where id = ${person.id}`
    expect((await call('GET', '/auth/me', { token: other.token })).status).toBe(401)
    expect(
      (await call('GET', '/user?limit=1', { token: (await makeToken(admin, ['admin'])).token }))
        .status,
    ).toBe(200)
    expect(
      (
        await call('GET', '/user?limit=1', {
          token: (await makeToken(admin, ['read', 'manage'])).token,
        })
      ).code,
    ).toBe('token_scope')
  })

  test('for the queue reads how many hosts are wanted, and nothing else', async () => {
    const admin = await createPerson(0)
    const { token } = await makeToken(admin, ['queue'])
    const { data } = await call('GET', '/runners/queue', { token })
    expect(data).toMatchObject({ wantedRunners: expect.any(Number) })
    for (const path of ['/runners', '/auth/me', '/course', '/audit'])
      expect((await call('GET', path, { token })).code, path).toBe('token_scope')
    const wide = await makeToken(admin, ['read', 'submit', 'manage', 'admin'])
    expect((await call('GET', '/runners/queue', { token: wide.token })).code).toBe('token_scope')
  })

  test('opens what its scopes open and nothing about the account', async () => {
    const { problemId, student, course, teacher } = await createProblem()
    const json = { problemId, languageType: 0, code: 'int main(){}' }
    const [read, hand] = [await makeToken(student, ['read']), await makeToken(student, ['submit'])]
    expect((await call('POST', '/submission', { token: read.token, json })).code).toBe(
      'token_scope',
    )
    expect((await call('POST', '/submission', { token: hand.token, json })).status).toBe(200)
    expect((await call('GET', `/problem/${problemId}`, { token: read.token })).status).toBe(200)
    expect((await call('GET', `/problem/${problemId}`, { token: hand.token })).code).toBe(
      'token_scope',
    )
    const all = (await makeToken(teacher, ['read', 'submit', 'manage'])).token
    const ann = { title: 'By a script', markdown: 'x', courseName: course }
    expect((await call('POST', '/ann', { token: all, json: ann })).status).toBe(200)
    for (const [method, path] of [
      ['GET', '/auth/tokens'],
      ['POST', '/auth/tokens'],
      ['GET', '/auth/sessions'],
      ['POST', '/auth/change-password'],
    ] as const)
      expect(
        (await call(method, path, { token: all, json: method === 'POST' ? {} : undefined })).code,
      ).toBe('token_scope')
  })

  test('a wrong one and a runner’s are nobody’s', async () => {
    for (const token of ['nonsense', await registerRunner()])
      expect(await call('GET', '/auth/me', { token })).toMatchObject({
        status: 401,
        code: 'bad_token',
      })
    const person = await createPerson(2)
    expect((await call('GET', '/auth/me', { as: person, token: 'nonsense' })).status).toBe(401)
    const { token } = await makeToken(person, ['read', 'manage'])
    expect((await call('POST', '/runner/jobs/claim', { token, json: {} })).status).toBe(401)
  })

  test('fifty are enough', async () => {
    const person = await createPerson(2)
    await runSql`insert into api_tokens (id, user_id, name, token_hash, scopes, created_at, expires_at)
       select printf('%024x', ${person.id} * 1000 + value), ${person.id}, 'x', 'hash' || ${person.id} || '-' || value, '["read"]', 0, 9999999999
       from json_each(${numbersBelow(50)})`
    const json = { name: 'one more', scopes: ['read'] }
    expect((await person.post('/auth/tokens', json)).code).toBe('too_many_tokens')
    await runSql`update api_tokens set expires_at = 1
      where token_hash = 'hash' || ${person.id} || '-7'`
    expect((await person.post('/auth/tokens', json)).status).toBe(200)
  })
})
