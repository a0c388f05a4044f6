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

/** The most jobs that one call skips because no host can judge them. */
const MOST_PASSED_OVER = 20

/**
 * The lease of the job that a host claims together with a result. A host that got no answer and sends the result again claims with
 * the same lease.
 * @param lease the lease of the result's job
 */
export async function leaseAfter(lease: string): Promise<string> {
  return sha256Hex(lease)
}

/**
 * Leases the best job to the runner. A job that no host can judge becomes a Judge Error, and the next job is taken.
 * @param lease the lease of the job; the lease of a job that the host holds gives that job again
 * @param tell called with each change and the person to tell of it
 * @returns the job, or null if there is none or the host holds as many jobs as it may; and whether a free job is left
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
    // A sample run tells nothing before its end.
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
