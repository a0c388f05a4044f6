/** What the installation knows about its own work: when something last happened, how often something failed. */
import { eq, inArray, sql } from 'drizzle-orm'
import type { Db } from './client.ts'
import { vitals } from './schema.ts'

/** The sweeper runs each minute; one silent for longer does not run. */
export const ALARM_SWEEP_SECONDS = 300

/** Whether the sweeper ought to have run since. @param sweptAt epoch seconds */
export function isSweepLate(sweptAt: number, now: number): boolean {
  return sweptAt <= now - ALARM_SWEEP_SECONDS
}

type VitalName = (typeof vitals.$inferSelect)['name']
type TimeName = VitalName & `${string}_at`
type ErrorName = VitalName & `${string}_errors`

/** The statement that notes times. */
function addTimes(db: Db, names: readonly TimeName[], now: number) {
  return db
    .insert(vitals)
    .values(names.map((name) => ({ name, value: now })))
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

/** The statement that counts a failure. */
function addError(db: Db, name: ErrorName) {
  return db
    .insert(vitals)
    .values({ name, value: 1 })
    .onConflictDoUpdate({ target: vitals.name, set: { value: sql`${vitals.value} + 1` } })
}

/** The statement for a mail that was taken. */
function endMailFailing(db: Db) {
  return db.delete(vitals).where(eq(vitals.name, 'mail_failing_at'))
}

/** Notes when something happened, or several things at once. @param now epoch seconds */
export async function noteTime(db: Db, names: TimeName | TimeName[], now: number) {
  await addTimes(db, [names].flat(), now)
}

/** Counts a failure. */
export async function countError(db: Db, name: ErrorName) {
  await addError(db, name)
}

/**
 * Notes how many of some mails were taken and how many given up. Mails fail from the first that is given up until one is taken.
 * @param now epoch seconds
 */
export async function noteMails(db: Db, taken: number, givenUp: number, now: number) {
  const end = endMailFailing(db)
  const begin = db
    .insert(vitals)
    .values({ name: 'mail_failing_at', value: now })
    .onConflictDoNothing()
  if (givenUp > 0) await db.batch([addError(db, 'mail_errors'), taken > 0 ? end : begin])
  else if (taken > 0) await end
}

/** Notes that a test mail was taken. @param now epoch seconds */
export async function noteTestMail(db: Db, now: number) {
  await db.batch([addTimes(db, ['mail_sent_at'], now), endMailFailing(db)])
}
