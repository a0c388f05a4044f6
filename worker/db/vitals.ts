/** What the installation knows about its own work: when something last happened, how often something failed. */
import { inArray, sql } from 'drizzle-orm'
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

const dayOf = (now: number) => Math.floor(now / 86_400)

/** Counts a mail of this day (UTC). @param now epoch seconds */
export async function countMail(db: Db, now: number) {
  const day = dayOf(now)
  const isToday = sql`(select ${vitals.value} from ${vitals} where ${vitals.name} = 'mail_day') = ${day}`
  const values = (name: VitalName, value: number) => db.insert(vitals).values({ name, value })
  const target = vitals.name
  await db.batch([
    values('mails_of_day', 1).onConflictDoUpdate({
      target,
      set: { value: sql`iif(${isToday}, ${vitals.value} + 1, 1)` },
    }),
    values('mail_day', day).onConflictDoUpdate({ target, set: { value: day } }),
  ])
}

/** How many mails have gone out on this day. @param now epoch seconds */
export async function mailsOfDay(db: Db, now: number): Promise<number> {
  const rows = await db
    .select()
    .from(vitals)
    .where(inArray(vitals.name, ['mail_day', 'mails_of_day']))
  const noted = new Map(rows.map(({ name, value }) => [name, value]))
  return noted.get('mail_day') === dayOf(now) ? (noted.get('mails_of_day') ?? 0) : 0
}

/** Counts a failure. */
export async function countError(db: Db, name: VitalName & `${string}_errors`) {
  await db
    .insert(vitals)
    .values({ name, value: 1 })
    .onConflictDoUpdate({ target: vitals.name, set: { value: sql`${vitals.value} + 1` } })
}
