/** GET /jobs/{jobId}: the progress of an operation, for the person who started it. */
import * as z from 'zod'
import { hexId } from '#contract/fields'
import type { OperationStatus } from '#contract/operations'
import { guardInPath } from '../../http/guard.ts'
import { route } from '../../http/route.ts'
import { countWaiting } from '../judging/rejudge/cancel-rejudge-queries.ts'
import { getOwnOperation, type OperationRow } from './queries.ts'

const takenBack = z.object({ takenBack: z.int() })
const lostCount = z.object({ lostCount: z.int() })

/** Whether a bulk rejudge was cancelled, by its payload or its result. */
function isTakenBack(kept: unknown): boolean {
  return takenBack.safeParse(kept).success
}

/** How many a bulk rejudge could not judge again, by its payload or its result. */
function lostCountOf({ payload, result }: OperationRow): number {
  const found = lostCount.safeParse(payload).data ?? lostCount.safeParse(result).data
  return found?.lostCount ?? 0
}

/** Row → contract. */
function toOperationStatus(row: OperationRow, waiting: number): OperationStatus {
  const { kind, state, done, total, payload, result, error } = row
  const lost = lostCountOf(row)
  const isCancelled = isTakenBack(payload) || isTakenBack(result)
  return {
    state,
    done,
    total,
    ...(state === 'done' && { result }),
    ...(error !== null && { error }),
    ...(kind === 'rejudge' && { waiting }),
    ...(kind === 'rejudge' && isCancelled && { cancelled: true }),
    ...(kind === 'rejudge' && lost > 0 && { lostCount: lost }),
  }
}

/** The operation of the path, for the person who started it. */
const operationInPath = guardInPath(
  'operation',
  'job_not_found',
  hexId,
  (c, id) => getOwnOperation(c.var.db, id, c.var.user.id),
  'jobId',
)

export const operations = [
  route('GET /jobs/:jobId', operationInPath, async (c, { operation }) => {
    const waiting = operation.kind === 'rejudge' ? await countWaiting(c.var.db, operation.id) : 0
    return toOperationStatus(operation, waiting)
  }),
]
