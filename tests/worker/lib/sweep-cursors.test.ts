import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { openDb } from '../../../worker/db/client.ts'
import { rateLimits } from '../../../worker/db/schema.ts'
import { nextPage } from '../../../worker/db/sweep-cursors.ts'
import { runSql } from '../support/sql.ts'

const add = async (...keys: string[]) => {
  for (const key of keys)
    await runSql`insert into rate_limits (key, full_at_ms, allowed) values (${key}, 1, 1)`
}

/** The keys of the cursor's next page; the cursor then moves on. */
async function readPage(below?: string): Promise<string[]> {
  const db = openDb(env.DB)
  const { isInPage, advance } = await nextPage(db, 'test', rateLimits.key, 2, below)
  const [rows] = await db.batch([db.select().from(rateLimits).where(isInPage), advance])
  return rows.map(({ key }) => key).toSorted()
}

beforeEach(async () => {
  await runSql`delete from rate_limits`
  await runSql`delete from sweep_positions`
})

test('a cursor passes every row once, then begins anew', async () => {
  await add('a', 'b', 'c', 'd', 'e')
  expect([await readPage(), await readPage(), await readPage()]).toEqual([
    ['a', 'b'],
    ['c', 'd'],
    ['e'],
  ])
  expect(await readPage()).toEqual(['a', 'b'])
})

test('a cursor with an end waits there for later rows and never goes back', async () => {
  await add('a', 'b', 'c', 'd')
  expect([await readPage('d'), await readPage('d'), await readPage('d')]).toEqual([
    ['a', 'b'],
    ['c'],
    [],
  ])
  await add('bb', 'e')
  expect(await readPage('f')).toEqual(['d', 'e'])
})

test('what is deleted or added meanwhile disturbs no cursor', async () => {
  await add('a', 'b', 'c')
  expect(await readPage()).toEqual(['a', 'b'])
  await runSql`delete from rate_limits where key = 'b'`
  await add('bb')
  expect(await readPage()).toEqual(['bb', 'c'])
  await runSql`delete from rate_limits`
  expect([await readPage(), await readPage()]).toEqual([[], []])
})
