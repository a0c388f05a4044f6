/** How full the database is, and how long its room will last. */
import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { DATABASE } from '#contract/limits'
import { databaseSize } from '#contract/installation/storage'
import { openDb } from '../../../worker/db/client.ts'
import {
  growthOf,
  noteDatabaseSize,
  readDatabaseSize,
} from '../../../worker/features/storage/database-size.ts'
import { allRows, runSql } from '../support/sql.ts'
import { createPerson } from '../support/world.ts'

const DAY_SECONDS = 86_400
const TODAY = 20_000
const now = TODAY * DAY_SECONDS + 5
const db = openDb(env.DB)

beforeEach(async () => {
  await runSql`delete from database_sizes`
})

const sizes = () =>
  allRows<{ day: number; bytes: number }>`select day, bytes from database_sizes order by day`

test('the first sweep of a day notes the size, and four weeks are kept', async () => {
  await runSql`insert into database_sizes (day, bytes) values (${TODAY - 29}, 1), (${TODAY - 28}, 2)`
  await noteDatabaseSize(db, now)
  await noteDatabaseSize(db, now + 60)
  const kept = await sizes()
  expect(kept.map(({ day }) => day)).toEqual([TODAY - 28, TODAY])
  expect(kept.at(-1)?.bytes).toBeGreaterThan(0)
  // If the clock was ahead, nothing is noted until the time has caught up.
  await noteDatabaseSize(db, now - DAY_SECONDS)
  expect(await sizes()).toEqual(kept)
})

test('growth is measured from the oldest note of four weeks, two days old at least', async () => {
  expect(await readDatabaseSize(db, now)).toMatchObject({ weeklyBytes: null, weeksLeft: null })
  await runSql`insert into database_sizes (day, bytes) values (${TODAY - 1}, 0)`
  expect(await readDatabaseSize(db, now)).toMatchObject({ weeklyBytes: null, weeksLeft: null })
  await runSql`insert into database_sizes (day, bytes) values (${TODAY - 40}, 0), (${TODAY - 14}, 0)`
  const { bytes, weeklyBytes, weeksLeft } = await readDatabaseSize(db, now)
  expect(weeklyBytes).toBe(Math.round(bytes / 2))
  expect(weeksLeft).toBe(Math.floor((DATABASE.mostBytes - bytes) / (bytes / 2)))
})

test.each([
  ['grows by a tenth of what is left', 9_000_000_000, 8_900_000_000, 100_000_000, 10],
  ['has shrunk', 5_000, 6_000, 0, null],
  ['is as large as it was', 5_000, 5_000, 0, null],
  ['is over the limit', 10_100_000_000, 10_000_000_000, 100_000_000, 0],
])('a database that %s', (_, bytes, before, weeklyBytes, weeksLeft) => {
  expect(growthOf({ day: 14, bytes }, { day: 7, bytes: before })).toEqual({
    bytes,
    weeklyBytes,
    weeksLeft,
  })
})

test('an admin reads it with the state of the storage', async () => {
  const answer = await (await createPerson(0)).get('/storage')
  expect(databaseSize.parse(answer.data.database).bytes).toBeGreaterThan(0)
})
