/** How large the database is and how fast it grows. D1 tells its size with every answer. */
import { and, asc, desc, gte, lt, lte } from 'drizzle-orm'
import { DATABASE } from '#contract/limits'
import type { DatabaseSize } from '#contract/installation/storage'
import type { Db } from '../../db/client.ts'
import { databaseSizes } from '../../db/schema.ts'

/** Growth is measured over up to this many days, as soon as sizes of `LEAST_DAYS` days exist. */
const GROWTH_DAYS = 28
const LEAST_DAYS = 2

const DAY_SECONDS = 86_400

/** A size on a day (days since 1970-01-01, UTC). */
interface Measured {
  day: number
  bytes: number
}

function dayOf(now: number): number {
  return Math.floor(now / DAY_SECONDS)
}

/** Runs a select for a note and returns the database's present size, too. Drizzle cannot do this: it drops the size that D1 tells. */
async function findNote(db: Db, query: { toSQL(): { sql: string; params: unknown[] } }) {
  const { sql: text, params } = query.toSQL()
  const { results, meta } = await db.$client
    .prepare(text)
    .bind(...params)
    .all<Measured>()
  return { note: results[0], bytes: meta.size_after }
}

/** Notes today's size, once a day. @param now epoch seconds */
export async function noteDatabaseSize(db: Db, now: number): Promise<void> {
  const day = dayOf(now)
  const newest = db.select().from(databaseSizes).orderBy(desc(databaseSizes.day)).limit(1)
  const { note, bytes } = await findNote(db, newest)
  if (note !== undefined && note.day >= day) return
  await db.batch([
    db.insert(databaseSizes).values({ day, bytes }).onConflictDoNothing(),
    db.delete(databaseSizes).where(lt(databaseSizes.day, day - GROWTH_DAYS)),
  ])
}

/** The growth from an earlier size to the present one. @param since undefined if no earlier size is old enough */
export function growthOf(now: Measured, since?: Measured): DatabaseSize {
  const { bytes } = now
  if (!since) return { bytes, weeklyBytes: null, weeksLeft: null }
  const weekly = ((bytes - since.bytes) / (now.day - since.day)) * 7
  const weeksLeft = weekly > 0 ? Math.floor(Math.max(0, DATABASE.mostBytes - bytes) / weekly) : null
  return { bytes, weeklyBytes: Math.max(0, Math.round(weekly)), weeksLeft }
}

/** The database's size and growth. @param now epoch seconds */
export async function readDatabaseSize(db: Db, now: number): Promise<DatabaseSize> {
  const day = dayOf(now)
  const { day: measured } = databaseSizes
  const oldest = db
    .select()
    .from(databaseSizes)
    .where(and(gte(measured, day - GROWTH_DAYS), lte(measured, day - LEAST_DAYS)))
    .orderBy(asc(measured))
    .limit(1)
  const { note, bytes } = await findNote(db, oldest)
  return growthOf({ day, bytes }, note)
}
