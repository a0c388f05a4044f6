/** Accepting a result: outputs into R2, the verdict into D1, once. */
import type { ResultReport } from '#contract/judging'
import { resultFault } from '#contract/result-check'
import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { AppError } from '../../http/errors.ts'
import { sha256Hex } from '../../lib/ids.ts'
import { returnRefused } from './hand-back-queries.ts'
import { checkLease } from './lease-queries.ts'
import { storeResult } from './result-queries.ts'

/**
 * Stores a result. The same result again changes nothing; a stale lease is refused. One that cannot be this job's is
 * refused too, and the job goes back.
 * Outputs go first, under a key of the lease and of what they are: a refused result, or another one of the same
 * lease, can never overwrite an accepted one's.
 */
export async function acceptResult(
  env: Env,
  db: Db,
  judgementId: string,
  report: ResultReport,
  now: number,
): Promise<void> {
  const standing = await checkLease(db, judgementId, report.lease)
  if (standing.lease === 'stored') return
  if (standing.lease === 'stale') throw new AppError('stale_lease')
  const fault = standing.subtasks && resultFault(standing.subtasks, report)
  if (fault !== null) {
    await returnRefused(db, judgementId, report.lease, fault, now)
    console.error(JSON.stringify({ alarm: 'result refused', judgementId, fault }))
    throw new AppError('bad_result', { fault })
  }
  const outputsKey = await putOutputs(env, judgementId, report)
  if (await storeResult(db, judgementId, report, outputsKey, now)) return
  // The same result may have come twice at once, and the other one was stored.
  if ((await checkLease(db, judgementId, report.lease)).lease !== 'stored')
    throw new AppError('stale_lease')
}

/** Puts the kept outputs into R2; gives their key, null when there are none. One that no row names is swept up. */
async function putOutputs(
  env: Env,
  judgementId: string,
  { lease, outputs }: ResultReport,
): Promise<string | null> {
  if (outputs.length === 0) return null
  const text = JSON.stringify(outputs)
  const key = `outputs/${judgementId}/${lease}-${(await sha256Hex(text)).slice(0, 16)}.json`
  await env.BUCKET.put(key, text)
  return key
}
