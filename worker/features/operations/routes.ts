/** GET /jobs/{jobId}: the progress of an operation, for whoever started it. */
import { Hono } from 'hono'
import * as z from 'zod'
import { hexId } from '#contract/fields'
import type { OperationStatus } from '#contract/operations'
import { AppError } from '../../http/errors.ts'
import { ok } from '../../http/respond.ts'
import { requireUser, type UserEnv } from '../../http/session.ts'
import { getOwnOperation, type OperationRow } from './queries.ts'

const operationId = z.string().pipe(hexId)

/** Row → contract. */
function toOperationStatus({ state, done, total, result, error }: OperationRow): OperationStatus {
  return {
    state,
    done,
    total,
    ...(state === 'done' && { result }),
    ...(error !== null && { error }),
  }
}

export const operations = new Hono<UserEnv>().get('/jobs/:jobId', requireUser, async (c) => {
  const id = operationId.safeParse(c.req.param('jobId'))
  const operation = id.success ? await getOwnOperation(c.var.db, id.data, c.var.user.id) : undefined
  if (!operation) throw new AppError('job_not_found')
  return ok(c, toOperationStatus(operation))
})
