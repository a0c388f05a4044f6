/** Who had a job and gave no result for it: that host gets the job again later than others, and later each time. */
import { sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { HAND_BACK, JUDGING, RUNNERS, SWEEP } from '#contract/limits'
import type { JobRelease } from '#contract/judging'
import { execute, type Db } from '../../db/client.ts'
import { handBacks, judgements, runners } from '../../db/schema.ts'
import { assignments, bare, excluded, insertSelect } from '../../db/statements.ts'
import { isHeldBy } from './lease-queries.ts'

const earlier = alias(handBacks, 'earlier')

/** Open jobs that were handed back are counted up to here. */
const MOST_COUNTED = 1_000

/**
 * The statement that notes for each of these jobs that its host gave no result. It comes before the one that ends the
 * lease: whose it was is read from the row.
 */
export function noteHandBacks(db: Db, which: SQL, now: number) {
  return execute(
    db,
    sql`${insertSelect(
      handBacks,
      {
        judgementId: judgements.id,
        runnerId: judgements.runnerId,
        firstAt: now,
        lastAt: now,
        waitSeconds: HAND_BACK.firstWaitSeconds,
      },
      sql`from ${judgements} where ${judgements.runnerId} is not null
        and ${judgements.state} = 'leased' and ${judgements.finishedAt} is null and ${which}`,
    )}
    on conflict (${bare(handBacks.judgementId)}, ${bare(handBacks.runnerId)}) do update set ${assignments(
      handBacks,
      {
        lastAt: excluded(handBacks.lastAt),
        waitSeconds: sql`min(${HAND_BACK.longestWaitSeconds}, 2 * ${handBacks.waitSeconds})`,
      },
    )}`,
  )
}

/** The statement that forgets them, once a job is over. */
export function forgetHandBacks(db: Db, which: SQL) {
  return db.delete(handBacks).where(sql`${handBacks.judgementId} in (${which})`)
}

/** Other hosts that live and take jobs. */
function otherLiveHosts(runnerId: string, now: number): SQL {
  return sql`${runners} where ${runners.heartbeatAt} > ${now - JUDGING.runnerAliveSeconds}
    and ${runners.state} = 'active' and ${runners.id} <> ${runnerId}`
}

/** Whether a job has been with a host before: the row of the pair. */
function hasHadJob(judgementId: SQL, runnerId: SQL): SQL {
  return sql`exists (select 1 from ${handBacks}
    where ${handBacks.judgementId} = ${judgementId} and ${handBacks.runnerId} = ${runnerId})`
}

/**
 * The condition that an attempt of this host does not count: it has had the job before, and another one that lives has not.
 * So no host alone uses up the attempts of a job.
 */
export function isFree(judgementId: SQL, runnerId: string, now: number): SQL {
  return sql`${hasHadJob(judgementId, sql`${runnerId}`)}
    and exists (select 1 from ${otherLiveHosts(runnerId, now)} and not ${hasHadJob(judgementId, sql`${runners.id}`)})`
}

/**
 * The condition that a host does not take a job because it has just had it. While other hosts live they come first; one
 * that is alone waits a share of that.
 * @param judgementId the column that names the job
 */
export function isAvoidedBy(judgementId: SQL, runnerId: string, now: number): SQL {
  const isOtherAlive = sql`exists (select 1 from ${otherLiveHosts(runnerId, now)})`
  return sql`exists (select 1 from ${handBacks}
    where ${handBacks.judgementId} = ${judgementId} and ${handBacks.runnerId} = ${runnerId}
    and ${handBacks.lastAt} + ${handBacks.waitSeconds} / iif(${isOtherAlive}, 1, ${HAND_BACK.aloneShare}) > ${now})`
}

/** The attempts of a job whose last one was nobody's fault but the host's. */
const NOT_COUNTED = sql`max(0, ${judgements.attempt} - 1)`

/**
 * The job as it is in the queue again, behind those that nobody has handed back as often: else as many as a claim looks at
 * that no host can judge would keep all others from being judged.
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
    rank: sql`${judgements.rank} + 1`,
  }
}

/**
 * Puts a job back into the queue. The attempt counts only where the trouble is the job's; then it rests a little, so that
 * three hosts that cannot read it do not use up its attempts in a second.
 * @returns false when the lease is stale
 */
export async function releaseJudgement(
  db: Db,
  judgementId: string,
  { lease, drained, fault, reason }: JobRelease,
  now: number,
): Promise<boolean> {
  const counts = !drained && fault !== 'host'
  const [, updated] = await db.batch([
    noteHandBacks(db, sql`${isHeldBy(judgementId, lease)}`, now),
    db
      .update(judgements)
      .set({
        ...requeuedValues(reason, now),
        leaseUntil: counts
          ? sql`iif(${judgements.attempt} < ${JUDGING.maxAttempts}, ${now} + 5 * ${judgements.attempt} * ${judgements.attempt}, null)`
          : null,
        attempt: counts ? sql`${judgements.attempt}` : NOT_COUNTED,
      })
      .where(isHeldBy(judgementId, lease))
      .returning({ id: judgements.id }),
  ])
  return updated.length > 0
}

/**
 * Puts a job back whose result was refused, and counts that against the host that sent it: the attempt is not the
 * submission's fault. After too many the host gets nothing more until an admin puts it back to work.
 */
export async function returnRefused(
  db: Db,
  judgementId: string,
  lease: string,
  fault: string,
  now: number,
): Promise<void> {
  const refused = sql`${runners.refusedResults} + 1`
  await db.batch([
    noteHandBacks(db, sql`${isHeldBy(judgementId, lease)}`, now),
    db
      .update(runners)
      .set({
        refusedResults: refused,
        lastRefusal: `${judgementId}: ${fault}`,
        state: sql`iif(${refused} >= ${RUNNERS.refusedResults}, 'draining', ${runners.state})`,
      })
      .where(
        sql`${runners.id} = (select ${judgements.runnerId} from ${judgements} where ${isHeldBy(judgementId, lease)})`,
      ),
    db
      .update(judgements)
      .set({
        ...requeuedValues(`A judge host sent a result that cannot be: ${fault}.`, now),
        leaseUntil: null,
        attempt: NOT_COUNTED,
      })
      .where(isHeldBy(judgementId, lease)),
  ])
}

/**
 * How many open jobs have gone from host to host for too long, up to a bound; each waits for a healthy host. Nobody is
 * judged for that: their submissions stay pending.
 */
export function selectUnhealthy(db: Db, now: number) {
  return execute<{ count: number }>(
    db,
    // Each job by the first host that had it.
    sql`select count(*) as count from (select 1 from ${handBacks} indexed by hand_backs_first
      join ${judgements} on ${judgements.id} = ${handBacks.judgementId} and ${judgements.finishedAt} is null
      where ${handBacks.firstAt} < ${now - HAND_BACK.alarmSeconds} and not exists (select 1 from ${handBacks} ${earlier}
        where ${earlier.judgementId} = ${handBacks.judgementId}
          and (${earlier.firstAt}, ${earlier.runnerId}) < (${handBacks.firstAt}, ${handBacks.runnerId}))
      limit ${MOST_COUNTED})`,
  )
}

/** What the sweeper does each minute: says in the log when jobs wait for a healthy host, and forgets those that are over. */
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
