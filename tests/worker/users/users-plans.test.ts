/** The queries about people use an index for any parameters: no plan scans a table or sorts. */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { userListParams } from '../../../worker/contract/people/users.ts'
import { openDb, type Db } from '../../../worker/db/client.ts'
import { findSessionUser, findTokenUser } from '../../../worker/db/sessions.ts'
import {
  findLoginAccount,
  loginBuckets,
  takeLoginTokens,
} from '../../../worker/features/auth/queries.ts'
import {
  checkAvailability,
  listSessions,
} from '../../../worker/features/auth/accounts/account-queries.ts'
import { listTokens } from '../../../worker/features/tokens/queries.ts'
import { listOwnSubmissions } from '../../../worker/features/users/export-queries.ts'
import { listUsers } from '../../../worker/features/users/list-queries.ts'
import { getProfile } from '../../../worker/features/users/queries.ts'
import { toCursor } from '../../../worker/http/paging.ts'
import { queryPlan } from '../support/sql.ts'

/** The query plan of every statement that a function runs. */
async function plansOf(run: (db: Db) => Promise<unknown>): Promise<string[]> {
  const statements: string[] = []
  const recording = new Proxy(env.DB, {
    get(target, key) {
      if (key === 'prepare')
        return (text: string) => {
          statements.push(text)
          return target.prepare(text)
        }
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  await run(openDb(recording))
  const plans = await Promise.all(
    statements.map((text) => queryPlan(text, ...(text.match(/\?/g) ?? []).map(() => '0'))),
  )
  return plans.flat()
}

const cursor = toCursor({ key: 'k', id: 3 })
const list = (query: object) => (db: Db) => listUsers(db, userListParams.parse(query))
const viewer = {
  id: 1,
  username: 'a',
  displayedName: 'a',
  role: 2,
  email: 'a@example.test',
  emailConfirmedAt: 1,
  confirmDueAt: null,
  bio: '',
} as const

test.each<[string, (db: Db) => Promise<unknown>]>([
  ['everybody', list({})],
  ['everybody, next page', list({ cursor })],
  ['a role', list({ role: '2' })],
  ['a role, next page', list({ role: '2', cursor })],
  ['a search', list({ search: 'someone' })],
  ['a search, next page', list({ search: 'someone', cursor })],
  ['a search in a role', list({ search: 'someone', role: '1' })],
  ['a course', list({ course: 'Public' })],
  ['a course, next page', list({ course: 'Public', cursor, search: 'x', role: '2' })],
  ['a session', (db) => findSessionUser(db, 'x', 0)],
  ['an API token', (db) => findTokenUser(db, 'x', 0)],
  ['what is free', (db) => checkAvailability(db, { email: 'a@example.test' }, 'x', 0)],
  ['a profile', (db) => getProfile(db, viewer, 'somebody')],
  ['own tokens', (db) => listTokens(db, 1, 0)],
  ['own submissions', (db) => listOwnSubmissions(db, 1, '')],
])('%s', async (_, run) => {
  const plans = await plansOf(run)
  expect(plans.length).toBeGreaterThan(0)
  expect(plans.filter((line) => /^SCAN (?!CONSTANT)|TEMP B-TREE/.test(line))).toEqual([])
})

test('signing in and own sessions read what is theirs by index', async () => {
  const plans = [
    ...(await plansOf((db) => findLoginAccount(db, 'a'))),
    ...(await plansOf((db) => takeLoginTokens(db, loginBuckets('1', '2001:db8::1', undefined)))),
    ...(await plansOf((db) => listSessions(db, 1, null, 0))),
  ]
  expect(plans.filter((line) => /^SCAN (?!CONSTANT)/.test(line))).toEqual([])
})
