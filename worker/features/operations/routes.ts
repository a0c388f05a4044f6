/** GET /jobs/{jobId}: the progress of an operation, for the person who started it; of a bulk rejudge also for staff of its course. */
import { hexId } from '#contract/fields'
import type { OperationStatus } from '#contract/operations'
import { guardInPath } from '../../http/guard.ts'
import { route } from '../../http/route.ts'
import { demandOperation, readProgress } from '../judging/rejudge/operation-queries.ts'
import type { OperationRow } from './queries.ts'

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

/** The operation of the path, for people who may look at it. */
const operationInPath = guardInPath(
  'operation',
  'job_not_found',
  hexId,
  (c, id) => demandOperation(c.var.db, c.var.user, id),
  'jobId',
)

export const operations = [
  route('GET /jobs/:jobId', operationInPath, async (c, { operation }) => {
    const isOpenRejudge = operation.kind === 'rejudge' && operation.finishedAt === null
    const progress = isOpenRejudge ? await readProgress(c.var.db, operation) : {}
    return { ...toOperationStatus(operation), ...progress }
  }),
]
