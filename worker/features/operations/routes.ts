/** GET /jobs/{jobId}: the progress of an operation, for whoever started it. */
import { Hono } from 'hono'
import * as z from 'zod'
import { hexId } from '#contract/fields'
import type { OperationStatus } from '#contract/operations'
import { AppError } from '../../http/errors.ts'
import { ok } from '../../http/respond.ts'
import { requireUser, type UserEnv } from '../../http/session.ts'
import { countWaiting } from '../judging/rejudge/cancel-rejudge-queries.ts'
import { getOwnOperation, type OperationRow } from './queries.ts'

const takenBack = z.object({ takenBack: z.int() })
const lostCount = z.object({ lostCount: z.int() })
const operationId = z.string().pipe(hexId)

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

export const operations = new Hono<UserEnv>().get('/jobs/:jobId', requireUser, async (c) => {
  const id = operationId.safeParse(c.req.param('jobId'))
  const operation = id.success ? await getOwnOperation(c.var.db, id.data, c.var.user.id) : undefined
  if (!operation) throw new AppError('job_not_found')
  const waiting = operation.kind === 'rejudge' ? await countWaiting(c.var.db, operation.id) : 0
  return ok(c, toOperationStatus(operation, waiting))
})
