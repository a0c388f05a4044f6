/** Stores the alarms: which states last, and which alarms are to be told now. */
import { asc, eq, gt, isNull, sql, type SQL } from 'drizzle-orm'
import { JUDGING } from '#contract/limits'
import type { AlarmChannel } from '#contract/installation/alarms'
import { rawQuery, type Db } from '../../db/client.ts'
import { alarms, runners, users, vitals } from '../../db/schema.ts'
import { getHealth } from '../health/queries.ts'
import type { AlarmFacts, LastingAlarm } from './states.ts'

/**
 * An alarm is told until the channels take it, at most 13 times: again after 30 s, then after pauses that double, over more than a
 * day. One attempt has to end within the first pause, although a service may take 8 s to answer.
 */
export const TELLING = { firstPauseSeconds: 30, most: 13 } as const

/** An alarm whose beginning or end is to be told. */
export type DueAlarm = typeof alarms.$inferSelect

/** Reads from the database what decides on alarms. */
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
    // Drizzle returns only the rows, not the size that D1 tells with them.
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

/** The statement that adds states. A state that returns before its end was told is not told again. */
function insertAlarms(db: Db, lasting: readonly LastingAlarm[]) {
  return rawQuery(
    db,
    sql`insert into alarms (state, since, next_at)
      select value ->> 'state', value ->> 'since', value ->> 'tellAt' from json_each(${JSON.stringify(lasting)}) where true
      on conflict (state) do update set since = excluded.since, over_at = null, tries = 0, next_at = excluded.next_at
      where over_at is not null`,
  )
}

/** The condition that a configured channel still has to be told of an alarm's beginning or end. */
function isUntold(channels: readonly AlarmChannel[]): SQL {
  const { overAt, webhookTold, mailTold } = alarms
  const hasWebhook = Number(channels.includes('webhook'))
  const hasMail = Number(channels.includes('mail'))
  return sql`iif(${overAt} is null,
    (${hasWebhook} and ${webhookTold} is not 'begun') or (${hasMail} and ${mailTold} is not 'begun'),
    (${hasWebhook} and ${webhookTold} is 'begun') or (${hasMail} and ${mailTold} is 'begun'))`
}

/** The statements that delete finished alarms and take the alarms to be told now, so that no other sweep tells them too. */
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

/** Stores the states that last and marks all other alarms as over. @returns the alarms to be told now */
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

/** Stores that a state lasts. @returns the alarms to be told now */
export async function addAlarm(
  db: Db,
  alarm: LastingAlarm,
  channels: readonly AlarmChannel[],
  now: number,
): Promise<DueAlarm[]> {
  const [, , due] = await db.batch([insertAlarms(db, [alarm]), ...takeDue(db, channels, now)])
  return due
}

/** Stores that a channel was told. If the state has ended meanwhile, the channel is told of its end later. */
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
