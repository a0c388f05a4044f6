/** Hand-backs: a host that had a job and gave no result gets it again later than other hosts, and later each time. */
import { sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { JUDGING, RUNNERS } from '#contract/limits'
import type { JobRelease } from '#contract/judging'
import { rawQuery, type Db } from '../../../db/client.ts'
import { takesJobs } from '../../../db/queue-estimate.ts'
import { SWEEP } from '../../../db/retention.ts'
import { handBacks, judgements, runners } from '../../../db/schema.ts'
import { excluded, insertSelect, onConflictUpdate } from '../../../db/statements.ts'
import { isLeaseValid } from './lease-queries.ts'

/**
 * Hand-backs: jobs that a host had and gave no result for. That host waits before it takes the job again, longer each time; a host
 * that is alone waits only a share of the time, and never long, because nobody else would take the job.
 */
export const HAND_BACK = {
  firstWaitSeconds: 15,
  longestWaitSeconds: 600,
  /** The usual wait is divided by this number for a host that is alone. */
  aloneShare: 3,
  longestAloneSeconds: 30,
  /** A job that has been handed back for longer than this is logged as an alarm. It stays in the queue. */
  alarmSeconds: 3_600,
  /** Jobs at the head of the queue that a claim looks at. */
  lookAhead: 50,
} as const

/** The condition that a job is a sample run. */
export const isRun = sql`${judgements.submissionId} is null`

const earlier = alias(handBacks, 'earlier')

/** The most handed-back jobs that are counted. */
const MOST_COUNTED = 1_000

/**
 * The statement that records hand-backs of these jobs. It must come before the statement that ends the lease, which names the
 * host.
 * @param firstWaitSeconds how long a host leaves a job to others after its first hand-back; 0 if it had not begun the job
 */
export function noteHandBacks(
  db: Db,
  which: SQL,
  now: number,
  firstWaitSeconds: number = HAND_BACK.firstWaitSeconds,
) {
  return insertSelect(
    db,
    handBacks,
    {
      judgementId: judgements.id,
      runnerId: judgements.runnerId,
      firstAt: now,
      lastAt: now,
      waitSeconds: firstWaitSeconds,
    },
    sql`from ${judgements} where ${judgements.runnerId} is not null
        and ${judgements.state} = 'leased' and ${judgements.finishedAt} is null and ${which}
    ${onConflictUpdate(handBacks, [handBacks.judgementId, handBacks.runnerId], {
      lastAt: excluded(handBacks.lastAt),
      waitSeconds: sql`max(${HAND_BACK.firstWaitSeconds}, min(${HAND_BACK.longestWaitSeconds}, 2 * ${handBacks.waitSeconds}))`,
    })}`,
  )
}

/** The statement that deletes the hand-backs of finished jobs. */
export function forgetHandBacks(db: Db, which: SQL) {
  return db.delete(handBacks).where(sql`${handBacks.judgementId} in (${which})`)
}

/** Other live hosts that take jobs. */
function otherLiveHosts(runnerId: string, now: number): SQL {
  return sql`${runners} where ${takesJobs(now)} and ${runners.id} <> ${runnerId}`
}

/** The condition that a host has had the job before. A single hand-back for want of a slot does not count. */
function hasHadJob(judgementId: SQL, runnerId: SQL): SQL {
  return sql`exists (select 1 from ${handBacks}
    where ${handBacks.judgementId} = ${judgementId} and ${handBacks.runnerId} = ${runnerId} and ${handBacks.waitSeconds} > 0)`
}

/**
 * The condition that an attempt of this host does not count: this host has had the job before, and another live
 * host has not had it. So no single host uses up a job's attempts.
 */
export function isFree(judgementId: SQL, runnerId: string, now: number): SQL {
  return sql`${hasHadJob(judgementId, sql`${runnerId}`)}
    and exists (select 1 from ${otherLiveHosts(runnerId, now)} and not ${hasHadJob(judgementId, sql`${runners.id}`)})`
}

/**
 * The condition that a host leaves a job to others because it has just had it. A host that is alone waits
 * only a share of the time, and never long.
 * @param judgementId the column that names the job
 */
export function isAvoidedBy(judgementId: SQL, runnerId: string, now: number): SQL {
  const isOtherAlive = sql`exists (select 1 from ${otherLiveHosts(runnerId, now)})`
  return sql`exists (select 1 from ${handBacks}
    where ${handBacks.judgementId} = ${judgementId} and ${handBacks.runnerId} = ${runnerId}
    and ${handBacks.lastAt} + iif(${isOtherAlive}, ${handBacks.waitSeconds},
      min(${HAND_BACK.longestAloneSeconds}, ${handBacks.waitSeconds} / ${HAND_BACK.aloneShare})) > ${now})`
}

/** The attempts of a job without the last one, which failed because of the host. */
const NOT_COUNTED = sql`max(0, ${judgements.attempt} - 1)`

/**
 * The values of a job that goes back to the queue. They place it behind jobs with fewer hand-backs. Otherwise jobs that
 * no host can judge would fill the part of the queue that a claim looks at. The hand-back must be recorded before this.
 */
function requeuedValues(reason: string | null, now: number) {
  return {
    state: 'queued' as const,
    phase: 'queued' as const,
    casesDone: 0,
    lease: null,
    runnerId: null,
    plan: null,
    reason,
    ticketAt: now,
    rank: sql`${judgements.rank} + ${hasHadJob(sql`${judgements.id}`, sql`${judgements.runnerId}`)}`,
  }
}

/**
 * Puts a job back into the queue. The attempt counts only if the job caused the hand-back; then the job rests a little, so that
 * three hosts that cannot read it do not use up its attempts in a second. Every attempt at a sample run counts, unless it was ended to
 * make room: a program that breaks sandboxes must not come back for ever. A sample run does not rest. A sample run that made room may
 * return to its host at once.
 * @returns false when the lease is stale
 */
export async function releaseJudgement(
  db: Db,
  judgementId: string,
  { lease, drained, fault, reason, began }: JobRelease,
  now: number,
): Promise<boolean> {
  const counts = !drained && fault !== 'host'
  const firstWaitSeconds = began === false && !counts ? 0 : HAND_BACK.firstWaitSeconds
  const [, updated] = await db.batch([
    noteHandBacks(
      db,
      sql`${isLeaseValid(judgementId, lease)} and not (${isRun} and ${drained})`,
      now,
      firstWaitSeconds,
    ),
    db
      .update(judgements)
      .set({
        ...requeuedValues(reason, now),
        leaseUntil: counts
          ? sql`iif(${judgements.attempt} < ${JUDGING.maxAttempts} and not (${isRun}), ${now} + 5 * ${judgements.attempt} * ${judgements.attempt}, null)`
          : null,
        attempt: counts
          ? sql`${judgements.attempt}`
          : sql`iif(${isRun} and not ${drained}, ${judgements.attempt}, ${NOT_COUNTED})`,
      })
      .where(isLeaseValid(judgementId, lease))
      .returning({ id: judgements.id }),
  ])
  return updated.length > 0
}

/** The statement that counts a refused result against a host: after too many it gets no more jobs until an admin activates it. */
function countRefusal(db: Db, runnerId: SQL, refusal: string) {
  const refused = sql`${runners.refusedResults} + 1`
  return db
    .update(runners)
    .set({
      refusedResults: refused,
      lastRefusal: refusal,
      state: sql`iif(${refused} >= ${RUNNERS.refusedResults}, 'draining', ${runners.state})`,
    })
    .where(sql`${runners.id} = ${runnerId}`)
}

/** Puts a job back whose result was refused. The refusal counts against the host and uses up no attempt of the job. */
export async function returnRefused(
  db: Db,
  judgementId: string,
  lease: string,
  fault: string,
  now: number,
): Promise<void> {
  await db.batch([
    noteHandBacks(db, sql`${isLeaseValid(judgementId, lease)}`, now),
    countRefusal(
      db,
      sql`(select ${judgements.runnerId} from ${judgements} where ${isLeaseValid(judgementId, lease)})`,
      `${judgementId}: ${fault}`,
    ),
    db
      .update(judgements)
      .set({
        ...requeuedValues(`A judge host sent a result that cannot be: ${fault}.`, now),
        leaseUntil: null,
        attempt: NOT_COUNTED,
      })
      .where(isLeaseValid(judgementId, lease)),
  ])
}

/**
 * The number of open jobs that have gone from host to host for too long, up to a bound. They wait for a
 * healthy host; their submissions stay pending.
 */
export function selectUnhealthy(db: Db, now: number) {
  return rawQuery<{ count: number }>(
    db,
    // Counts each job by the first host that had it.
    sql`select count(*) as count from (select 1 from ${handBacks} indexed by hand_backs_first
      join ${judgements} on ${judgements.id} = ${handBacks.judgementId} and ${judgements.finishedAt} is null
      where ${handBacks.firstAt} < ${now - HAND_BACK.alarmSeconds} and ${handBacks.waitSeconds} > 0 and not exists (select 1 from ${handBacks} ${earlier}
        where ${earlier.judgementId} = ${handBacks.judgementId} and ${earlier.waitSeconds} > 0
          and (${earlier.firstAt}, ${earlier.runnerId}) < (${handBacks.firstAt}, ${handBacks.runnerId}))
      limit ${MOST_COUNTED})`,
  )
}

/** Logs how many jobs wait for a healthy host, and deletes hand-backs of finished jobs. */
export async function reportUnhealthy(db: Db, now: number): Promise<void> {
  await db.delete(handBacks).where(
    sql`rowid in (select ${handBacks}.rowid from ${handBacks}
      join ${judgements} on ${judgements.id} = ${handBacks.judgementId} and ${judgements.finishedAt} is not null
      where ${handBacks.firstAt} < ${now - HAND_BACK.alarmSeconds} limit ${SWEEP.rows})`,
  )
  const [unhealthy] = await selectUnhealthy(db, now)
  if (unhealthy && unhealthy.count > 0)
    console.error(JSON.stringify({ alarm: 'waiting for a healthy host', jobs: unhealthy.count }))
}
