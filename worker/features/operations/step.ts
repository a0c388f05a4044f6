/** The step function of a kind of operation, and its outcomes. */
import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import type { OperationProgress, LeasedOperation } from './queries.ts'

/** The arguments of a step. `now` in epoch seconds. */
export interface StepContext {
  env: Env
  db: Db
  operation: LeasedOperation
  now: number
}

/**
 * The outcome of a step:
 * - `more`: there is work left; the consumer stores the progress and calls again
 * - `wait`: there is work left, but not before `until` (epoch seconds; 0: whenever a message comes); the sweeper sends the next message
 * - `done`: nothing is left; the consumer stores the result
 * - `ended`: the step has put `finishOperation` into a batch of its own
 */
export type StepOutcome =
  | ({ outcome: 'more' } & OperationProgress)
  | ({ outcome: 'wait'; until: number } & OperationProgress)
  | { outcome: 'done'; result?: unknown }
  | { outcome: 'ended' }

/**
 * Does the next step of an operation: a second or two of work at most, so that a consumer's time never runs
 * out. A step is repeated from the same row when its consumer dies. So either its writes change nothing the
 * second time, or they share a batch with `updateOperation` or `finishOperation` and carry the condition
 * `isOperationLeased`.
 * @throws OperationFailed to end the operation; after any other error the step is tried again later
 */
export type OperationStep = (context: StepContext) => Promise<StepOutcome>

/** Ends an operation for good. The person who started it sees the message. */
export class OperationFailed extends Error {
  override name = 'OperationFailed'
}
