/** What the installation knows about its own work: when something last happened, how often something failed. */
import { eq, inArray, sql } from 'drizzle-orm'
import type { Db } from './client.ts'
import { vitals } from './schema.ts'

/** The sweeper runs each minute. When it has not run for longer than this, it counts as stopped. */
export const ALARM_SWEEP_SECONDS = 300

/** Whether the sweeper's last run is too long ago. @param sweptAt epoch seconds */
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

/** The statements that count mails of this day (UTC). */
function addMails(db: Db, count: number, now: number) {
  const day = dayOf(now)
  const isToday = sql`(select ${vitals.value} from ${vitals} where ${vitals.name} = 'mail_day') = ${day}`
  const values = (name: VitalName, value: number) => db.insert(vitals).values({ name, value })
  const target = vitals.name
  return [
    values('mails_of_day', count).onConflictDoUpdate({
      target,
      set: { value: sql`iif(${isToday}, ${vitals.value}, 0) + ${count}` },
    }),
    values('mail_day', day).onConflictDoUpdate({ target, set: { value: day } }),
  ] as const
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

/** Notes when something happened, or several things at once. @param now epoch seconds */
export async function noteTime(db: Db, names: TimeName | TimeName[], now: number) {
  await addTimes(db, [names].flat(), now)
}

/** Counts a failure. */
export async function countError(db: Db, name: ErrorName) {
  await addError(db, name)
}

/** How many mails were taken, and how many given up. */
export interface MailOutcome {
  taken?: number
  givenUp?: number
  /** Whether a taken mail ends the state that mails fail. Default true. */
  endsFailing?: boolean
}

/** The statements that note the outcome of some mails: see `noteMails`. */
export function addOutcome(
  db: Db,
  { taken = 0, givenUp = 0, endsFailing = true }: MailOutcome,
  now: number,
) {
  const failing = eq(vitals.name, 'mail_failing_at')
  const begin = db.insert(vitals).values({ name: 'mail_failing_at', value: now })
  return [
    ...(taken > 0 ? addMails(db, taken, now) : []),
    ...(taken > 0 && endsFailing ? [db.delete(vitals).where(failing)] : []),
    ...(givenUp > 0 ? [addError(db, 'mail_errors')] : []),
    ...(givenUp > 0 && taken === 0 ? [begin.onConflictDoNothing()] : []),
  ]
}

/**
 * Notes the outcome of some mails. Taken mails are counted by day. Mail counts as failing from the first mail that is given up
 * until the next one that is taken.
 * @param now epoch seconds
 */
export async function noteMails(db: Db, outcome: MailOutcome, now: number) {
  const [first, ...others] = addOutcome(db, outcome, now)
  if (first) await db.batch([first, ...others])
}

/** Notes that a test mail was taken. @param now epoch seconds */
export async function noteTestMail(db: Db, now: number) {
  await db.batch([addTimes(db, ['mail_sent_at'], now), ...addOutcome(db, { taken: 1 }, now)])
}
