/** The fleet: registration and signs of life. */
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Heartbeat, RunnerRegistration } from '#contract/judging'
import { JUDGING } from '#contract/limits'
import type { Db } from '../../db/client.ts'
import { judgements, runners } from '../../db/schema.ts'

/** A runner as its own calls need it. */
export interface RunnerRow {
  id: string
  state: 'active' | 'draining'
}

/** The runner a token belongs to. */
export async function findRunner(db: Db, tokenHash: string): Promise<RunnerRow | undefined> {
  return db
    .select({ id: runners.id, state: runners.state })
    .from(runners)
    .where(eq(runners.tokenHash, tokenHash))
    .get()
}

/** Adds a runner. */
export async function insertRunner(
  db: Db,
  id: string,
  tokenHash: string,
  form: RunnerRegistration,
  now: number,
): Promise<void> {
  await db.insert(runners).values({
    id,
    tokenHash,
    name: form.name,
    state: 'active',
    slots: form.slots,
    free: form.slots,
    version: form.version,
    host: form.host,
    createdAt: now,
    heartbeatAt: now,
  })
}

/**
 * Notes a sign of life and extends the leases it names, as far as they are still this runner's. After a
 * start, its other leases end: the process that held them is gone. Such a lease is still good for a result
 * that turns up before somebody else claims the job.
 * @returns judgements that have become free, for new tickets
 */
export async function recordHeartbeat(
  db: Db,
  runnerId: string,
  beat: Heartbeat,
  now: number,
): Promise<string[]> {
  const isNamed = sql`${judgements.id} in (select value from json_each(${JSON.stringify(beat.active)}))`
  const isHeld = and(
    eq(judgements.runnerId, runnerId),
    eq(judgements.state, 'leased'),
    isNull(judgements.finishedAt),
  )
  const { slots, free, load, version, host } = beat
  const [, , freed] = await db.batch([
    db
      .update(runners)
      .set({ heartbeatAt: now, slots, free, load, version, host })
      .where(eq(runners.id, runnerId)),
    db
      .update(judgements)
      .set({ leaseUntil: now + JUDGING.leaseSeconds })
      .where(and(isHeld, isNamed)),
    db
      .update(judgements)
      .set({ leaseUntil: now - 1, ticketAt: now })
      .where(and(isHeld, sql`${beat.started === true}`, sql`not ${isNamed}`))
      .returning({ id: judgements.id }),
  ])
  return freed.map((row) => row.id)
}
