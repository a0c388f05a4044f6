/** Runners: registration and heartbeats. */
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Heartbeat, RunnerRegistration } from '#contract/judging'
import { JUDGING, RUNNERS } from '#contract/limits'
import type { Db } from '../../../db/client.ts'
import { takeToken, wasAllowed } from '../../../db/rate-limits.ts'
import { judgements, runners } from '../../../db/schema.ts'
import { insertSelect } from '../../../db/statements.ts'
import { AppError } from '../../../http/errors.ts'
import { slotsOf } from '../claim/best-job.ts'

/** A runner, for its own calls. */
export interface RunnerRow {
  id: string
  state: 'active' | 'draining'
  slots: number
  slotLimit: number
}

/** The runner a token belongs to. */
export function selectRunner(db: Db, tokenHash: string) {
  return db
    .select({
      id: runners.id,
      state: runners.state,
      slots: runners.slots,
      slotLimit: runners.slotLimit,
    })
    .from(runners)
    .where(eq(runners.tokenHash, tokenHash))
}

const REGISTRATIONS = 'runner:register'

/**
 * Adds a runner that registers itself, always under a new id. The number of runners and the rate of registrations are limited. At
 * the limit, a runner that registered itself, holds no job and has long been silent is deleted; it can register again.
 * @throws AppError `too_many_requests`, `too_many_runners`
 */
export async function insertRunner(
  db: Db,
  id: string,
  tokenHash: string,
  form: RunnerRegistration,
  now: number,
): Promise<void> {
  const isFull = sql`(select count(*) from ${runners}) >= ${RUNNERS.most}`
  const [[rate], , added] = await db.batch([
    takeToken(db, REGISTRATIONS, RUNNERS.registration, now * 1000),
    db.delete(runners).where(
      sql`${isFull} and ${wasAllowed(REGISTRATIONS)} and ${runners.id} = (select ${runners.id} from ${runners}
        where ${isGone(RUNNERS.forgottenSeconds, now)}
        order by ${runners.heartbeatAt} limit 1)`,
    ),
    insertSelect<typeof runners, { id: string }>(
      db,
      runners,
      {
        id,
        tokenHash,
        name: form.name,
        state: 'active',
        slots: form.slots,
        free: form.slots,
        version: form.version,
        host: form.host,
        selfRegistered: true,
        createdAt: now,
        heartbeatAt: now,
      },
      sql`where not ${isFull} and ${wasAllowed(REGISTRATIONS)} returning ${runners.id}`,
    ),
  ])
  if (rate?.allowed !== 1)
    throw new AppError('too_many_requests', null, {
      'Retry-After': String(Math.ceil((rate?.waitMs ?? 0) / 1000)),
    })
  if (added.length === 0) throw new AppError('too_many_runners')
}

/** The condition that a runner registered itself, holds no job and has been silent for so many seconds. */
function isGone(silentSeconds: number, now: number) {
  return sql`${runners.selfRegistered} = 1 and ${runners.heartbeatAt} < ${now - silentSeconds}
    and not exists (select 1 from ${judgements}
      where ${judgements.runnerId} = ${runners.id} and ${judgements.finishedAt} is null)`
}

/**
 * Deletes hosts that registered themselves and have been silent for a week: rented machines that are gone. A deleted host that
 * comes back registers anew. A host that an admin added stays, because the admin gave it its token.
 */
export async function deleteSilentRunners(db: Db, now: number): Promise<void> {
  await db.delete(runners).where(isGone(RUNNERS.silentSeconds, now))
}

/**
 * Stores a heartbeat and extends the leases of the jobs that it names, at most `jobsPerSlot` for a slot. The jobs must be this
 * runner's and not held for too long. After a start the runner's other leases end, because their process is gone. A result with
 * such a lease still counts until another host claims the job.
 * @returns the judgements that have become free, for new tickets
 */
export async function recordHeartbeat(
  db: Db,
  { id: runnerId, slotLimit }: Pick<RunnerRow, 'id' | 'slotLimit'>,
  beat: Heartbeat,
  now: number,
): Promise<string[]> {
  const isNamed = sql`${judgements.id} in (select value from json_each(${JSON.stringify(beat.active)}))`
  const isLeased = and(
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
      .where(
        sql`${judgements.id} in (select ${judgements.id} from ${judgements} where ${and(isLeased, isNamed)}
          and (${judgements.holdUntil} is null or ${judgements.holdUntil} > ${now})
          order by ${judgements.claimedAt} limit ${RUNNERS.jobsPerSlot * slotsOf({ slots: beat.slots, slotLimit })})`,
      ),
    db
      .update(judgements)
      .set({ leaseUntil: now - 1, ticketAt: now })
      .where(and(isLeased, sql`${beat.started === true}`, sql`not ${isNamed}`))
      .returning({ id: judgements.id }),
  ])
  return freed.map((row) => row.id)
}
