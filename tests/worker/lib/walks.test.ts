import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { openDb } from '../../../worker/db/client.ts'
import { rateLimits } from '../../../worker/db/schema.ts'
import { nextPage } from '../../../worker/db/walks.ts'
import { runSql } from '../support/sql.ts'

const add = async (...keys: string[]) => {
  for (const key of keys)
    await runSql`insert into rate_limits (key, full_at_ms, allowed) values (${key}, 1, 1)`
}

/** The keys of the walk's next page, after which it moves on. */
async function walk(below?: string): Promise<string[]> {
  const db = openDb(env.DB)
  const { isInPage, moveOn } = await nextPage(db, 'test', rateLimits.key, 2, below)
  const [rows] = await db.batch([db.select().from(rateLimits).where(isInPage), moveOn])
  return rows.map(({ key }) => key).toSorted()
}

beforeEach(async () => {
  await runSql`delete from rate_limits`
  await runSql`delete from sweep_positions`
})

test('a walk sees every row once, then begins anew', async () => {
  await add('a', 'b', 'c', 'd', 'e')
  expect([await walk(), await walk(), await walk()]).toEqual([['a', 'b'], ['c', 'd'], ['e']])
  expect(await walk()).toEqual(['a', 'b'])
})

test('a walk with an end waits there for later rows and never goes back', async () => {
  await add('a', 'b', 'c', 'd')
  expect([await walk('d'), await walk('d'), await walk('d')]).toEqual([['a', 'b'], ['c'], []])
  await add('bb', 'e')
  expect(await walk('f')).toEqual(['d', 'e'])
})

test('what is deleted or added meanwhile disturbs no walk', async () => {
  await add('a', 'b', 'c')
  expect(await walk()).toEqual(['a', 'b'])
  await runSql`delete from rate_limits where key = 'b'`
  await add('bb')
  expect(await walk()).toEqual(['bb', 'c'])
  await runSql`delete from rate_limits`
  expect([await walk(), await walk()]).toEqual([[], []])
})
