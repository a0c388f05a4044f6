/** Who had a job and gave no result for it: that host gets the job again later than others, and later each time. */
import { sql, type SQL } from 'drizzle-orm'
import { HAND_BACK, JUDGING, RUNNERS, SWEEP } from '#contract/limits'
import type { JobRelease } from '#contract/judging'
import { execute, type Db } from '../../db/client.ts'
import { handBacks, judgements, runners } from '../../db/schema.ts'
import { isHeldBy } from './lease-queries.ts'

/** Open jobs that were handed back are counted up to here. */
const MOST_COUNTED = 1_000

/**
 * The statement that notes for each of these jobs that its host gave no result. It comes before the one that ends the
 * lease: whose it was is read from the row.
 */
export function noteHandBacks(db: Db, which: SQL, now: number) {
  return execute(
    db,
    sql`insert into ${handBacks} (judgement_id, runner_id, first_at, last_at, wait_seconds)
      select id, runner_id, ${now}, ${now}, ${HAND_BACK.firstWaitSeconds} from ${judgements}
      where runner_id is not null and state = 'leased' and finished_at is null and ${which}
      on conflict (judgement_id, runner_id) do update set last_at = excluded.last_at,
        wait_seconds = min(${HAND_BACK.longestWaitSeconds}, 2 * wait_seconds)`,
  )
}

/** The statement that forgets them, once a job is over. */
export function forgetHandBacks(db: Db, which: SQL) {
  return execute(db, sql`delete from ${handBacks} where judgement_id in (${which})`)
}

/** Other hosts that live and take jobs: `r`. */
function otherLiveHosts(runnerId: string, now: number): SQL {
  return sql`${runners} r where r.heartbeat_at > ${now - JUDGING.runnerAliveSeconds}
    and r.state = 'active' and r.id <> ${runnerId}`
}

/** Whether a job has been with a host before: the row of the pair. */
function hasHadJob(judgementId: SQL, runnerId: SQL): SQL {
  return sql`exists (select 1 from ${handBacks} b where b.judgement_id = ${judgementId} and b.runner_id = ${runnerId})`
}

/**
 * The condition that an attempt of this host does not count: it has had the job before, and another one that lives has not.
 * So no host alone uses up the attempts of a job.
 */
export function isFree(judgementId: SQL, runnerId: string, now: number): SQL {
  return sql`${hasHadJob(judgementId, sql`${runnerId}`)}
    and exists (select 1 from ${otherLiveHosts(runnerId, now)} and not ${hasHadJob(judgementId, sql`r.id`)})`
}

/**
 * The condition that a host does not take a job because it has just had it. While other hosts live they come first; one
 * that is alone waits a share of that.
 * @param judgementId the column that names the job
 */
export function isAvoidedBy(judgementId: SQL, runnerId: string, now: number): SQL {
  const isOtherAlive = sql`exists (select 1 from ${otherLiveHosts(runnerId, now)})`
  return sql`exists (select 1 from ${handBacks} h where h.judgement_id = ${judgementId} and h.runner_id = ${runnerId}
    and h.last_at + h.wait_seconds / iif(${isOtherAlive}, 1, ${HAND_BACK.aloneShare}) > ${now})`
}

/** The attempts of a job whose last one was nobody's fault but the host's. */
const NOT_COUNTED = sql`max(0, attempt - 1)`

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
    rank: sql`rank + 1`,
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
    noteHandBacks(db, sql`id = ${judgementId} and lease = ${lease}`, now),
    db
      .update(judgements)
      .set({
        ...requeuedValues(reason, now),
        leaseUntil: counts
          ? sql`iif(attempt < ${JUDGING.maxAttempts}, ${now} + 5 * attempt * attempt, null)`
          : null,
        attempt: counts ? sql`attempt` : NOT_COUNTED,
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
  const refused = sql`refused_results + 1`
  await db.batch([
    noteHandBacks(db, sql`id = ${judgementId} and lease = ${lease}`, now),
    db
      .update(runners)
      .set({
        refusedResults: refused,
        lastRefusal: `${judgementId}: ${fault}`,
        state: sql`iif(${refused} >= ${RUNNERS.refusedResults}, 'draining', state)`,
      })
      .where(
        sql`${runners.id} = (select runner_id from ${judgements} where ${isHeldBy(judgementId, lease)})`,
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
    sql`select count(*) as count from (select 1 from ${handBacks} h indexed by hand_backs_first
      join ${judgements} j on j.id = h.judgement_id and j.finished_at is null
      where h.first_at < ${now - HAND_BACK.alarmSeconds} and not exists (select 1 from ${handBacks} e
        where e.judgement_id = h.judgement_id and (e.first_at, e.runner_id) < (h.first_at, h.runner_id))
      limit ${MOST_COUNTED})`,
  )
}

/** What the sweeper does each minute: says in the log when jobs wait for a healthy host, and forgets those that are over. */
export async function reportUnhealthy(db: Db, now: number): Promise<void> {
  await execute(
    db,
    sql`delete from ${handBacks} where rowid in (select h.rowid from ${handBacks} h
      join ${judgements} j on j.id = h.judgement_id and j.finished_at is not null
      where h.first_at < ${now - HAND_BACK.alarmSeconds} limit ${SWEEP.rows})`,
  )
  const [unhealthy] = await selectUnhealthy(db, now)
  if (unhealthy && unhealthy.count > 0)
    console.error(JSON.stringify({ alarm: 'waiting for a healthy host', jobs: unhealthy.count }))
}
