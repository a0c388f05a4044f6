/** API tokens, whole: their fields, their days, their order, and their traces in the log. */
import { expect, test } from 'vitest'
import { allRows, runSql } from '../support/sql.ts'
import { createPeople, createPerson } from '../support/world.ts'

const DAY = 86_400
const id = expect.stringMatching(/^[0-9a-f]{24}$/)
const time = expect.any(Number)

test('each lasts the days that were asked for and is listed to its owner alone, the newest first', async () => {
  const [person, other] = await createPeople(2, 2)
  const make = async (json: object, as = person) => (await as.post('/auth/tokens', json)).data
  const before = Math.floor(Date.now() / 1000)
  const first = await make({ name: 'First', scopes: ['read'], days: 1 })
  const second = await make({ name: 'Second', scopes: ['submit', 'read', 'submit'] })
  const third = await make({ name: 'Third', scopes: ['manage'], days: 366 })
  await make({ name: 'Theirs', scopes: ['read'] }, other)
  const fields = {
    id,
    token: expect.stringMatching(/^[\w-]{43}$/),
    createTime: time,
    expireTime: time,
    lastUsed: null,
  }
  expect([first, second, third]).toEqual([
    { ...fields, name: 'First', scopes: ['read'] },
    { ...fields, name: 'Second', scopes: ['submit', 'read'] },
    { ...fields, name: 'Third', scopes: ['manage'] },
  ])
  for (const [made, days] of [
    [first, 1],
    [second, 90],
    [third, 366],
  ] as const)
    expect(made.expireTime - made.createTime).toBe(days * DAY)
  expect(first.createTime).toBeGreaterThanOrEqual(before)
  const { token: _, ...newest } = third
  const { token: _2, ...middle } = second
  const { token: _3, ...oldest } = first
  const list = async () => (await person.get('/auth/tokens')).data
  expect(await list()).toEqual([newest, middle, oldest])
  await runSql`update api_tokens set expires_at = ${before} where id = ${first.id}`
  expect(await list()).toEqual([newest, middle])
  const headers = { 'CF-Connecting-IP': '203.0.113.91' }
  expect((await other.delete(`/auth/tokens/${second.id}`, undefined, headers)).code).toBe(
    'token_not_found',
  )
  await person.delete(`/auth/tokens/${second.id}`, undefined, headers)
  expect(await list()).toEqual([newest])
  expect((await other.get('/auth/tokens')).data).toMatchObject([{ name: 'Theirs' }])
  const noted = await allRows`select actor_id as actor, action, detail, ip from audit_entries
    where subject = ${second.id} order by id`
  expect(noted).toEqual([
    {
      actor: person.id,
      action: 'token.create',
      detail: '{"scopes":["submit","read"]}',
      ip: '127.0.0.1',
    },
    { actor: person.id, action: 'token.delete', detail: '{}', ip: '203.0.113.91' },
  ])
})

test.each([
  ['no days', { days: 0 }, 'days', 'between'],
  ['more days than a year has', { days: 367 }, 'days', 'between'],
  ['half a day', { days: 0.5 }, 'days', 'integer'],
  ['no scope', { scopes: [] }, 'scopes', 'min_value'],
  ['an unknown scope', { scopes: ['all'] }, 'scopes.0', 'invalid'],
  ['a blank name', { name: ' ' }, 'name', 'required'],
])('%s is refused by field', async (_what, changes, path, code) => {
  const person = await createPerson(2)
  const { data } = await person.post('/auth/tokens', { name: 'ci', scopes: ['read'], ...changes })
  expect(
    data.map((error: { path: string[]; code: string }) => [error.path.join('.'), error.code]),
  ).toEqual([[path, code]])
})
