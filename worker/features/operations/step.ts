/** The step function of a kind of operation. */
import type * as z from 'zod'
import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import type { LeasedOperation } from './queries.ts'

/** The arguments of a step. `now` in epoch seconds. */
export interface StepContext<Payload = unknown> {
  env: Env
  db: Db
  operation: LeasedOperation<Payload>
  now: number
}

/** The progress of an operation; values that it leaves out stay. The next step starts from `payload`. */
export interface StepProgress<Payload = unknown> {
  done?: number
  total?: number
  payload: Payload
}

/**
 * Does the next step of an operation: a second or two of work at most, so that a consumer's time never runs out. When the
 * consumer dies, the step is repeated from the same row, so its writes must change nothing the second time. If only the holder of the lease
 * may make a write, the write is in one batch with `demandLease`.
 * @returns the progress, which the consumer stores before the next step; null after `finishOperation` or `pauseOperation`
 * @throws OperationFailed to end the operation; after any other error the step is tried again later
 */
export type OperationStep<Payload = unknown> = (
  context: StepContext<Payload>,
) => Promise<StepProgress<Payload> | null>

/** The step of a kind, called with the payload that its schema has parsed. */
export function withPayload<Payload>(
  schema: z.ZodType<Payload>,
  step: OperationStep<Payload>,
): OperationStep {
  return async ({ operation, ...context }) =>
    step({ ...context, operation: { ...operation, payload: schema.parse(operation.payload) } })
}

/** Ends an operation for good. The person who started it sees the message. */
export class OperationFailed extends Error {
  override name = 'OperationFailed'
}
