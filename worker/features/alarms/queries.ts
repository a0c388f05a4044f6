/** Alarms as rows: which last, and whose turn it is to tell them. */
import { asc, eq, gt, isNull, sql, type SQL } from 'drizzle-orm'
import { JUDGING } from '#contract/limits'
import type { AlarmChannel } from '#contract/installation/alarms'
import { rawQuery, type Db } from '../../db/client.ts'
import { alarms, runners, users, vitals } from '../../db/schema.ts'
import { getHealth } from '../health/queries.ts'
import type { AlarmFacts, LastingAlarm } from './states.ts'

/**
 * An alarm is told again after 30 s, and later each time, up to so many times: over more than a day. Whoever tells it has these
 * 30 s; a service has eight to answer.
 */
export const TELLING = { firstPauseSeconds: 30, most: 13 } as const

/** An alarm of which something is to be told. */
export type DueAlarm = typeof alarms.$inferSelect

/** What decides on alarms, from the database. */
export async function readFacts(
  db: Db,
  now: number,
): Promise<Omit<AlarmFacts, 'version' | 'backupDays'>> {
  const notes = db.select().from(vitals)
  const [health, [noted, hosts, first], bytes] = await Promise.all([
    getHealth(db, now),
    db.batch([
      notes,
      db
        .select({ state: runners.state, version: runners.version })
        .from(runners)
        .where(gt(runners.heartbeatAt, now - JUDGING.runnerAliveSeconds)),
      db.select({ at: users.createdAt }).from(users).orderBy(asc(users.id)).limit(1),
    ]),
    // drizzle leaves out what D1 says beside the rows.
    db.$client.prepare('select 1').all(),
  ])
  return {
    health,
    hosts,
    notes: new Map(noted.map(({ name, value }) => [name, value])),
    databaseBytes: bytes.meta.size_after,
    beganAt: first[0]?.at ?? now,
  }
}

/** The statement that adds states; of one that comes again before its end was told, nothing is told. */
function insertAlarms(db: Db, lasting: readonly LastingAlarm[]) {
  return rawQuery(
    db,
    sql`insert into alarms (state, since, next_at)
      select value ->> 'state', value ->> 'since', value ->> 'tellAt' from json_each(${JSON.stringify(lasting)}) where true
      on conflict (state) do update set since = excluded.since, over_at = null, tries = 0, next_at = excluded.next_at
      where over_at is not null`,
  )
}

/** The condition that a channel that is set has not heard of an alarm's beginning, or of its end. */
function isUntold(channels: readonly AlarmChannel[]): SQL {
  const { overAt, webhookTold, mailTold } = alarms
  const hasWebhook = Number(channels.includes('webhook'))
  const hasMail = Number(channels.includes('mail'))
  return sql`iif(${overAt} is null,
    (${hasWebhook} and ${webhookTold} is not 'begun') or (${hasMail} and ${mailTold} is not 'begun'),
    (${hasWebhook} and ${webhookTold} is 'begun') or (${hasMail} and ${mailTold} is 'begun'))`
}

/** The statements that forget what is over and told, and take what is to be told now: no other sweep gets it. */
function takeDue(db: Db, channels: readonly AlarmChannel[], now: number) {
  const { tries, overAt } = alarms
  const isLeft = sql`${isUntold(channels)} and ${tries} < ${TELLING.most}`
  return [
    db.delete(alarms).where(sql`${overAt} is not null and not (${isLeft})`),
    db
      .update(alarms)
      .set({
        tries: sql`${tries} + 1`,
        nextAt: sql`${now} + (${TELLING.firstPauseSeconds} << ${tries})`,
      })
      .where(sql`${alarms.nextAt} <= ${now} and ${isLeft}`)
      .returning(),
  ] as const
}

/** Writes which states last, and that all others are over. @returns what is to be told now */
export async function noteAlarms(
  db: Db,
  lasting: readonly LastingAlarm[],
  channels: readonly AlarmChannel[],
  now: number,
): Promise<DueAlarm[]> {
  const states = JSON.stringify(lasting.map(({ state }) => state))
  const [, , , due] = await db.batch([
    insertAlarms(db, lasting),
    db
      .update(alarms)
      .set({ overAt: now, tries: 0, nextAt: now })
      .where(
        sql`${alarms.overAt} is null and ${alarms.state} not in (select value from json_each(${states}))`,
      ),
    ...takeDue(db, channels, now),
  ])
  return due
}

/** Writes that a state lasts. @returns what is to be told now */
export async function addAlarm(
  db: Db,
  alarm: LastingAlarm,
  channels: readonly AlarmChannel[],
  now: number,
): Promise<DueAlarm[]> {
  const [, , due] = await db.batch([insertAlarms(db, [alarm]), ...takeDue(db, channels, now)])
  return due
}

/** Writes what a channel has heard. The end of a state that has begun and ended since is still to be told. */
export async function noteTold(
  db: Db,
  { state, since, overAt }: DueAlarm,
  channel: AlarmChannel,
  now: number,
): Promise<void> {
  const column = channel === 'webhook' ? 'webhookTold' : 'mailTold'
  if (overAt !== null)
    await db
      .update(alarms)
      .set({ [column]: 'over' })
      .where(eq(alarms.state, state))
  else
    await db
      .insert(alarms)
      .values({ state, since, overAt: now, nextAt: now, [column]: 'begun' })
      .onConflictDoUpdate({ target: alarms.state, set: { [column]: 'begun' } })
}

/** The statement for the states that last, the oldest first. */
export function selectAlarms(db: Db) {
  return db
    .select({ state: alarms.state, since: alarms.since })
    .from(alarms)
    .where(isNull(alarms.overAt))
    .orderBy(asc(alarms.since), asc(alarms.state))
}
