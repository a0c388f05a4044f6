/** What the database knows of the installation's health. */
import { and, count, eq, gt, isNull, min } from 'drizzle-orm'
import type { Health } from '#contract/health'
import { JUDGING } from '#contract/limits'
import type { Db } from '../../db/client.ts'
import { installation, judgements, runners } from '../../db/schema.ts'

/** Live judge hosts, the oldest live job that waits, and the sweeper's last word on the bucket. */
export async function getHealth(
  db: Db,
  now: number,
): Promise<Pick<Health, 'runners' | 'oldestSeconds' | 'storage'>> {
  const [alive, waiting, storage] = await db.batch([
    db
      .select({ count: count() })
      .from(runners)
      .where(gt(runners.heartbeatAt, now - JUDGING.runnerAliveSeconds)),
    db
      .select({ since: min(judgements.queuedAt) })
      .from(judgements)
      .where(
        and(
          isNull(judgements.finishedAt),
          eq(judgements.priority, 0),
          eq(judgements.state, 'queued'),
        ),
      ),
    db.select({ state: installation.state }).from(installation).where(eq(installation.id, 1)),
  ])
  return {
    runners: alive[0]?.count ?? 0,
    oldestSeconds: Math.max(0, now - (waiting[0]?.since ?? now)),
    storage: storage[0]?.state ?? 'unchecked',
  }
}
