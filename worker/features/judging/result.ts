/** Accepting a result: outputs into R2, the verdict into D1, once. */
import type { ResultReport } from '#contract/judging'
import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { AppError } from '../../http/errors.ts'
import { checkLease, storeResult } from './result-queries.ts'

/**
 * Stores a result. The same result again changes nothing; a stale lease is refused.
 * Outputs go first and under the lease's own key: a refused result can never overwrite an accepted one's.
 */
export async function acceptResult(
  env: Env,
  db: Db,
  judgementId: string,
  report: ResultReport,
  now: number,
): Promise<void> {
  const lease = await checkLease(db, judgementId, report.lease)
  if (lease === 'stored') return
  if (lease === 'stale') throw new AppError('stale_lease')
  const outputsKey =
    report.outputs.length > 0 ? `outputs/${judgementId}/${report.lease}.json` : null
  if (outputsKey) await env.BUCKET.put(outputsKey, JSON.stringify(report.outputs))
  if (await storeResult(db, judgementId, report, outputsKey, now)) return
  // The same result may have come twice at once, and the other one was stored.
  if ((await checkLease(db, judgementId, report.lease)) !== 'stored')
    throw new AppError('stale_lease')
}
