/** What the installation knows about its own work: when something last happened, how often something failed. */
import { sql } from 'drizzle-orm'
import type { Db } from './client.ts'
import { vitals } from './schema.ts'

type VitalName = (typeof vitals.$inferSelect)['name']

/** Notes when something happened. @param now epoch seconds */
export async function noteTime(db: Db, name: VitalName & `${string}_at`, now: number) {
  await db
    .insert(vitals)
    .values({ name, value: now })
    .onConflictDoUpdate({ target: vitals.name, set: { value: now } })
}

/** Counts a failure. */
export async function countError(db: Db, name: VitalName & `${string}_errors`) {
  await db
    .insert(vitals)
    .values({ name, value: 1 })
    .onConflictDoUpdate({ target: vitals.name, set: { value: sql`${vitals.value} + 1` } })
}
