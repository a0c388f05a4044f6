/** Accepts a result: stores its outputs in R2, then its verdict in D1, once. */
import type { ResultReport } from '#contract/judging'
import { submissionHint, type LiveHint } from '#contract/live'
import { resultFault } from '#contract/judging/result-check'
import type { Db } from '../../../db/client.ts'
import type { Env } from '../../../env.ts'
import { AppError } from '../../../http/errors.ts'
import { sha256Hex } from '../../../lib/ids.ts'
import { returnRefused } from '../lease/hand-back-queries.ts'
import { selectLease, leaseStateOf, type LeaseRow } from '../lease/lease-queries.ts'
import { continueRejudge } from '../rejudge/bulk-rejudge.ts'
import { storeResult } from './result-queries.ts'
import { toStoredRun } from './stored-run.ts'

/** The change by a result, and the person to tell of it. `submissionId` null: of a sample run. */
interface Changed {
  userId: number
  submissionId: string | null
  hint: LiveHint
}

/**
 * Stores a result. The same result again changes nothing. A stale lease is refused. A result that does not fit the job is also
 * refused, and the job goes back to the queue. Outputs are stored first, under a key of the lease and their content. So a refused or
 * second result never overwrites the outputs of an accepted result.
 * @param job `leaseRow`: the row as the guard of the call read it
 * @returns undefined if the result was stored before or belongs to a bulk rejudge
 */
export async function acceptResult(
  env: Env,
  db: Db,
  { id: judgementId, leaseRow }: { id: string; leaseRow: LeaseRow | undefined },
  report: ResultReport,
  now: number,
): Promise<Changed | undefined> {
  const state = leaseStateOf(leaseRow, report.lease)
  if (state.lease === 'stored') return undefined
  if (leaseRow === undefined || state.lease === 'stale') throw new AppError('stale_lease')
  const fault = state.subtasks && resultFault(state.subtasks, report)
  if (fault !== null) {
    await returnRefused(db, judgementId, report.lease, fault, now)
    console.error(JSON.stringify({ alarm: 'result refused', judgementId, fault }))
    throw new AppError('bad_result', { fault })
  }
  const { sampleCount } = leaseRow
  const kept =
    sampleCount === null
      ? { outputsKey: await putOutputs(env, judgementId, report) }
      : { run: toStoredRun(report, sampleCount) }
  const judged = await storeResult(db, judgementId, report, kept, now)
  if (judged) {
    const { listenerId: userId, submissionId, rejudgeId } = judged
    if (rejudgeId !== null) await continueRejudge(env, db, rejudgeId)
    if (userId === null) return undefined
    if (submissionId === null)
      return { userId, submissionId, hint: { kind: 'run', runId: judgementId } }
    return { userId, submissionId, hint: submissionHint(submissionId, null) }
  }
  // The same result may have come twice at once; then the other call has stored it.
  const present = leaseStateOf(await selectLease(db, judgementId).get(), report.lease)
  if (present.lease !== 'stored') throw new AppError('stale_lease')
  return undefined
}

/** Stores the kept outputs in R2; the sweeper deletes unused ones. @returns their key; null without outputs */
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
