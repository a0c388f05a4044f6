/**
 * Cancelling a bulk rejudge: the operation goes on as one that takes back what it has queued and no host has begun. What is done, or
 * under way, stays.
 */
import * as z from 'zod'
import type { Db } from '../../../db/client.ts'
import type { SessionUser } from '../../../db/sessions.ts'
import type { Env } from '../../../env.ts'
import type { Change } from '../../../http/change.ts'
import { AppError } from '../../../http/errors.ts'
import { sendSteps } from '../../../lib/queues.ts'
import type { StepContext, StepOutcome } from '../../operations/step.ts'
import { cancelOperation, findOwnRejudge, listWaiting, takeBack } from './cancel-rejudge-queries.ts'

/**
 * The payload of a cancelled operation: how many judgements it has taken back, the last one it has looked at, and what it could
 * not queue before.
 */
export const takingBack = z.object({
  takenBack: z.int(),
  last: z.string(),
  lostCount: z.int().default(0),
})
type TakingBack = z.infer<typeof takingBack>

/**
 * POST /jobs/{jobId}/cancel, by who has started it. A second one changes nothing.
 * @returns how many wait, counted up to a hundred
 */
export async function cancelBulkRejudge(
  env: Env,
  db: Db,
  operationId: string,
  user: SessionUser,
  change: Change,
): Promise<{ jobId: string; count: number }> {
  const found = await findOwnRejudge(db, operationId, user.id)
  if (!found) throw new AppError('job_not_found')
  if (await cancelOperation(db, operationId, change)) await sendSteps(env, [operationId])
  return { jobId: operationId, count: found.waiting }
}

/** The next hundred judgements of a cancelled operation. */
export async function takeBackStep(
  { db, operation, now }: StepContext,
  { takenBack, last, lostCount }: TakingBack,
): Promise<StepOutcome> {
  const ids = await listWaiting(db, operation.id, last)
  const next = ids.at(-1)
  if (next === undefined) {
    const lost = lostCount > 0 && { lostCount }
    return { outcome: 'done', result: { count: operation.done, takenBack, ...lost } }
  }
  const taken = await takeBack(db, ids, operation, now)
  const { done, total } = operation
  const payload: TakingBack = { takenBack: takenBack + taken, last: next, lostCount }
  return { outcome: 'more', done, total, payload }
}
