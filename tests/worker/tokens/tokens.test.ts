/** Personal API tokens. */
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { CALLS } from '#contract/calls'
import { scopeOf } from '#contract/calls'
import { call, createPerson, createProblem, registerRunner, type Person } from '../support/world.ts'

/** Makes a token. */
async function makeToken(as: Person, scopes: string[], days?: number) {
  const answer = await call('POST', '/auth/tokens', {
    as,
    json: { name: 'for a script', scopes, days },
  })
  expect(answer.status).toBe(200)
  return answer.data
}

describe('a token', () => {
  test('is shown once, kept as a hash, listed without its secret, and revoked', async () => {
    const [person, stranger] = [await createPerson(2), await createPerson(2)]
    const made = await makeToken(person, ['read'])
    expect(made.token).toMatch(/^[\w-]{43}$/)
    const rows = await env.DB.prepare('select * from api_tokens').all()
    expect(JSON.stringify(rows.results)).not.toContain(made.token)
    const { token, ...item } = made
    expect((await call('GET', '/auth/tokens', { as: person })).data).toEqual([item])
    expect((await call('GET', '/auth/me', { token })).data.username).toBe(person.username)
    expect((await call('DELETE', `/auth/tokens/${made.id}`, { as: stranger })).status).toBe(404)
    expect((await call('DELETE', `/auth/tokens/${made.id}`, { as: person })).status).toBe(200)
    expect((await call('GET', '/auth/me', { token })).status).toBe(401)
  })

  test('is over when its time is, when its owner is closed, and never outgrows its owner', async () => {
    const [admin, person] = [await createPerson(0), await createPerson(2)]
    const made = await makeToken(person, ['read', 'submit', 'manage', 'admin'], 1)
    expect((await call('GET', '/user', { token: made.token })).status).toBe(403)
    await env.DB.prepare('update api_tokens set expires_at = expires_at - 86400 where id = ?')
      .bind(made.id)
      .run()
    expect((await call('GET', '/auth/me', { token: made.token })).status).toBe(401)
    const other = await makeToken(person, ['read'])
    await env.DB.prepare('update users set active = 0 where id = ?').bind(person.id).run()
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
    await env.DB.prepare(
      `insert into api_tokens (id, user_id, name, token_hash, scopes, created_at, expires_at)
       select printf('%024x', ?1 * 1000 + value), ?1, 'x', 'hash' || ?1 || '-' || value, '["read"]', 0, 9999999999 from json_each(?2)`,
    )
      .bind(person.id, JSON.stringify(Array.from({ length: 50 }, (_, index) => index)))
      .run()
    const json = { name: 'one more', scopes: ['read'] }
    expect((await call('POST', '/auth/tokens', { as: person, json })).code).toBe('too_many_tokens')
    await env.DB.prepare(
      "update api_tokens set expires_at = 1 where token_hash = 'hash' || ? || '-7'",
    )
      .bind(person.id)
      .run()
    expect((await call('POST', '/auth/tokens', { as: person, json })).status).toBe(200)
  })
})

test.each([
  ['GET', '/problem/3', 'read'],
  ['GET', '/auth/me', 'read'],
  ['GET', '/submission/abc/rejudge', 'manage'],
  ['POST', '/submission', 'submit'],
  ['PUT', '/submission/abc', 'submit'],
  ['POST', '/submission/abc/rejudge', 'manage'],
  ['POST', '/profile', 'manage'],
  ['POST', '/auth/batch-signup', 'admin'],
  ['GET', '/auth/batch-signup/abc', 'read'],
  ['GET', '/user', 'admin'],
  ['GET', '/userinfo', 'read'],
  ['PATCH', '/user/somebody', 'admin'],
  ['GET', '/course/summary', 'admin'],
  ['GET', '/audit', 'admin'],
  ['POST', '/auth/change-password', null],
  ['GET', '/auth/me/export', null],
  ['GET', '/auth/sessions', null],
])('%s %s needs the scope %s', (method, path, scope) => {
  expect(scopeOf(method, path)).toBe(scope)
})

test.each(CALLS.filter(({ who }) => who === 'admin'))(
  'an admin’s call needs the scope for those, or no token makes it: $route',
  ({ route }) => {
    const [method = '', path = ''] = route.split(' ')
    expect(['admin', null]).toContain(scopeOf(method, path))
  },
)
