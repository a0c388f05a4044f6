/** What the database knows of the installation's health. */
import { count, eq, gt, sql } from 'drizzle-orm'
import type { Health } from '#contract/installation/health'
import { JUDGING } from '#contract/limits'
import { rawQuery, type Db } from '../../db/client.ts'
import { installation, judgements, PRIORITY, runners, vitals } from '../../db/schema.ts'
import { inlineNumber } from '../../db/statements.ts'
import { isSweepLate } from '../../db/vitals.ts'

/** A live job that waits longer than this for a judge host raises an alarm and fails a strict health check. */
export const ALARM_WAITING_SECONDS = 120

/**
 * When the oldest waiting live job was queued. It reads only the first job of each rank in the index of free jobs, and the few
 * resting jobs. So it costs the same for any length of the queue, and guests may call it.
 */
function selectOldest(db: Db) {
  const { id, finishedAt, leaseUntil, priority, rank, state, queuedAt } = judgements
  const live = inlineNumber(PRIORITY.live)
  const free = sql`${judgements} indexed by judgements_ready
    where ${finishedAt} is null and ${leaseUntil} is null and ${priority} = ${live}`
  const rankAfter = (last: string) =>
    sql`select ${rank} from ${free} and ${rank} > ${sql.raw(last)} order by ${rank} limit 1`
  return rawQuery<{ since: number | null }>(
    db,
    sql`with recursive ranks(rank) as (
        select (${rankAfter('-1')}) union all select (${rankAfter('ranks.rank')}) from ranks where ranks.rank is not null)
      select min(since) as since from (
        select (select ${queuedAt} from ${free} and ${rank} = ranks.rank and ${state} = 'queued' order by ${id} limit 1) as since from ranks
        union all
        select ${queuedAt} from ${judgements} indexed by judgements_resting
          where ${finishedAt} is null and ${leaseUntil} is not null and ${priority} = ${live} and ${state} = 'queued')`,
  )
}

/** The live judge hosts, the wait of the oldest live job, whether the sweeper runs, and the state of the bucket that it noted. */
export async function getHealth(
  db: Db,
  now: number,
): Promise<Pick<Health, 'runners' | 'oldestSeconds' | 'sweep' | 'storage'>> {
  const [alive, [oldest], storage, [swept]] = await db.batch([
    db
      .select({ count: count() })
      .from(runners)
      .where(gt(runners.heartbeatAt, now - JUDGING.runnerAliveSeconds)),
    selectOldest(db),
    db.select({ state: installation.state }).from(installation).where(eq(installation.id, 1)),
    db.select({ at: vitals.value }).from(vitals).where(eq(vitals.name, 'swept_at')),
  ])
  return {
    runners: alive[0]?.count ?? 0,
    oldestSeconds: Math.max(0, now - (oldest?.since ?? now)),
    sweep: swept === undefined ? 'unchecked' : isSweepLate(swept.at, now) ? 'late' : 'ok',
    storage: storage[0]?.state ?? 'unchecked',
  }
}
