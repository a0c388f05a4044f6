/** Claims of runners. */
import type { Job } from '#contract/judging'
import { submissionHint, type LiveHint } from '#contract/live'
import type { JudgingProgress } from '#contract/submissions'
import type { Db } from '../../../db/client.ts'
import { nowSeconds } from '../../../lib/clock.ts'
import { sha256Hex } from '../../../lib/ids.ts'
import type { Claimant } from './best-job.ts'
import { claimBest } from './claim-queries.ts'
import { failUnjudgeable } from '../result/result-queries.ts'

/** Jobs without a chance to be judged that one call skips at most. */
const MOST_PASSED_OVER = 20

/**
 * The lease of the job that a host claims with a result: the same again when it sends the result again, because it has not heard
 * the answer.
 * @param lease of the result
 */
export async function leaseAfter(lease: string): Promise<string> {
  return sha256Hex(lease)
}

/**
 * Leases the best job to the runner. Null when there is none for it, or the host holds all it may. A job that
 * nobody can judge becomes a Judge Error, and the next one is taken.
 * @param lease of the job; with one that the host holds, it is given that job again
 * @param tell is called with what has changed, and for whom
 * @returns also whether a job is free for others
 */
export async function claimJob(
  db: Db,
  claimant: Claimant,
  lease: string,
  tell: (userId: number, hint: LiveHint) => void,
): Promise<{ job: Job | null; isLeft: boolean }> {
  for (let passedOver = 0; passedOver < MOST_PASSED_OVER; passedOver += 1) {
    const { claimed, isLeft } = await claimBest(db, claimant, lease, nowSeconds())
    if (!claimed) return { job: null, isLeft }
    const { id, submissionId, job, listenerId } = claimed
    // A run has nothing to tell before its end.
    const tellProgress = (progress: JudgingProgress | null) => {
      if (listenerId !== null && submissionId !== null)
        tell(listenerId, submissionHint(submissionId, progress))
    }
    if (!('reason' in job)) {
      const total = job.tasks.reduce((sum, { caseCount }) => sum + caseCount, 0)
      tellProgress({ phase: 'compiling', done: 0, total })
      return { job, isLeft }
    }
    if (await failUnjudgeable(db, id, lease, job.reason, nowSeconds())) tellProgress(null)
  }
  return { job: null, isLeft: true }
}
