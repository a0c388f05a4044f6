/** What a kind of operation has to bring: one function that does the next chunk. */
import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import type { OperationProgress, TakenOperation } from './queries.ts'

/** What a step works with. `now` in epoch seconds. */
export interface StepContext {
  env: Env
  db: Db
  operation: TakenOperation
  now: number
}

/**
 * What came of a chunk:
 * - `more`: there is work left; the consumer stores the progress and calls again
 * - `done`: nothing is left; the consumer stores the result
 * - `ended`: the step has put `finishJob` into a batch of its own
 */
export type StepOutcome =
  | ({ outcome: 'more' } & OperationProgress)
  | { outcome: 'done'; result?: unknown }
  | { outcome: 'ended' }

/**
 * Does the next chunk of an operation: a second or two of work at most, so that a consumer's time is never used up.
 * A chunk may be run again from the same row when the one before died, so its writes must bear that:
 * either they change nothing the second time, or they share a batch with `updateJob` or `finishJob`
 * and carry the condition `stillHeld`.
 * @throws OperationFailed to end the operation; anything else means "try this chunk again later"
 */
export type OperationStep = (context: StepContext) => Promise<StepOutcome>

/** Ends an operation for good; the message is shown to who started it. */
export class OperationFailed extends Error {
  override name = 'JobFailed'
}
