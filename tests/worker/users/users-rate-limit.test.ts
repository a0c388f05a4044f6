/** The token bucket behind every rate limit. */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { openDb } from '../../../worker/db/client.ts'
import {
  deleteFullBuckets,
  hasNotBeenFull,
  returnToken,
  takeToken,
  wasAllowed,
} from '../../../worker/db/rate-limits.ts'
import { networkOf } from '../../../worker/http/client.ts'
import { AppError } from '../../../worker/http/errors.ts'
import { demandTokens } from '../../../worker/http/rate-limit.ts'
import { firstRow } from '../support/sql.ts'

const RULE = { burst: 20, intervalMs: 2_000 }
const START = 1_800_000_000_000

/** Takes a token; answers the outcome. */
async function take(key: string, nowMs: number, rule = RULE) {
  const [answer] = await takeToken(openDb(env.DB), key, rule, nowMs)
  if (!answer) throw new Error('no answer')
  return answer
}

test('a burst passes, then one call per interval, and a refused call costs nothing', async () => {
  for (let call = 0; call < 20; call += 1) expect((await take('a', START)).allowed).toBe(1)
  expect(await take('a', START)).toMatchObject({ allowed: 0, waitMs: 2_000 })
  expect(await take('a', START + 500)).toMatchObject({ allowed: 0, waitMs: 1_500 })
  expect((await take('a', START + 2_000)).allowed).toBe(1)
  expect((await take('a', START + 2_000)).allowed).toBe(0)
  for (let call = 0; call < 20; call += 1) expect((await take('a', START + 60_000)).allowed).toBe(1)
  expect((await take('a', START + 60_000)).allowed).toBe(0)
})

test('parallel calls never pass together beyond the burst, and keys do not meet', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => take('b', START)))
  expect(answers.filter((answer) => answer.allowed === 1)).toHaveLength(20)
  expect((await take('c', START)).allowed).toBe(1)
})

test('a clock that goes back, or a full bucket that was forgotten, does not lock anybody out', async () => {
  await take('d', START + 10_000)
  expect((await take('d', START)).allowed).toBe(1)
  await deleteFullBuckets(openDb(env.DB), START + 3_600_000)
  expect(await firstRow`select count(*) n from rate_limits`).toEqual({ n: 0 })
  expect((await take('d', START)).allowed).toBe(1)
})

test('a token goes back once, and not to a bucket that was full again meanwhile', async () => {
  const giveBack = (fullAtMs: number, nowMs: number) => {
    const taken = { key: 'e', rule: RULE, fullAtMs }
    return returnToken(openDb(env.DB), taken, hasNotBeenFull(taken, nowMs))
  }
  for (let call = 0; call < 19; call += 1) await take('e', START)
  const last = await take('e', START)
  // Long before the bucket is full, so the token comes back.
  await giveBack(last.fullAtMs, START + 1)
  expect((await take('e', START + 1)).allowed).toBe(1)
  expect((await take('e', START + 1)).allowed).toBe(0)
  // The bucket was full since then and others have used it up, so this token does not come back.
  const later = last.fullAtMs + 1_000
  for (let call = 0; call < 20; call += 1) await take('e', later)
  await giveBack(last.fullAtMs, later)
  expect((await take('e', later)).allowed).toBe(0)
  // Tokens that come back to a full bucket do not overfill it.
  const first = await take('e', later + 100_000)
  for (let time = 0; time < 5; time += 1) await giveBack(first.fullAtMs, later + 100_000)
  for (let call = 0; call < 20; call += 1) await take('e', later + 100_000)
  expect((await take('e', later + 100_000)).allowed).toBe(0)
})

test('a bucket whose condition does not hold is not asked, and that refuses nobody', async () => {
  const db = openDb(env.DB)
  for (let call = 0; call < 20; call += 1) await take('own', START)
  const shared = () => takeToken(db, 'shared', RULE, START, wasAllowed('own'))
  expect(await shared()).toHaveLength(1)
  expect((await take('own', START)).allowed).toBe(0)
  expect(await shared()).toEqual([])
  expect(() => demandTokens([[]])).not.toThrow()
})

test('the refusal says how long to wait, for the slower of two limits', () => {
  expect(() => demandTokens([[{ allowed: 1, waitMs: 0 }]])).not.toThrow()
  try {
    demandTokens([[{ allowed: 0, waitMs: 1_200 }], [{ allowed: 0, waitMs: 300 }]])
    expect.unreachable()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    expect(error.headers).toEqual({ 'Retry-After': '2' })
    expect(error.code).toBe('too_many_requests')
  }
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8:1:2::9', '2001:db8:1:2'],
  ['2001:db8::9', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('the network of %s is %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})
