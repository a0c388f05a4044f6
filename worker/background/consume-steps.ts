/** The consumer of the step queue: works on the operation that a message names for a slice of time. */
import type { OperationKind } from '#contract/operations'
import { stepMessage } from '#contract/operations'
import { openDb, type Db } from '../db/client.ts'
import { safeError } from '../db/safe-error.ts'
import { noteTime } from '../db/vitals.ts'
import type { Env } from '../env.ts'
import { nowSeconds } from '../lib/clock.ts'
import {
  OPERATIONS,
  type LeasedOperation,
  failOperation,
  finishOperation,
  releaseOperation,
  leaseOperation,
  pauseOperation,
  updateOperation,
} from '../features/operations/queries.ts'
import { copycatStep } from '../features/copycat/report-step.ts'
import { rejudgeStep } from '../features/judging/rejudge/bulk-rejudge.ts'
import { sendSteps } from '../lib/queues.ts'
import { OperationFailed, type OperationStep } from '../features/operations/step.ts'

/** The step function of every kind of operation. */
export const STEPS: Record<OperationKind, OperationStep> = {
  rejudge: rejudgeStep,
  copycat: copycatStep,
}

const GIVEN_UP = 'Something went wrong on our side several times. Nothing more will be tried.'

/**
 * Works through the messages of a batch. A message that is late, repeated or for an operation that is over
 * finds nothing to do and is acknowledged. A malformed one is logged and dropped.
 * @param steps every kind of operation
 */
export async function consumeSteps(
  batch: MessageBatch,
  env: Env,
  steps: Record<OperationKind, OperationStep> = STEPS,
): Promise<void> {
  for (const message of batch.messages) {
    const parsed = stepMessage.safeParse(message.body)
    if (parsed.success) await workOn(env, parsed.data.jobId, steps)
    else console.error(JSON.stringify({ message: message.id, error: 'malformed message' }))
    message.ack()
  }
}

/** Runs steps of one operation until it is over or its slice is. A fault leaves the rest to the next message. */
async function workOn(
  env: Env,
  operationId: string,
  steps: Record<OperationKind, OperationStep>,
): Promise<void> {
  const db = openDb(env.DB)
  const operation = await leaseOperation(db, operationId, nowSeconds())
  if (!operation) return
  try {
    // Counts takes that ended without a trace: a step that kills its consumer must not do so for ever.
    if (operation.attempt > OPERATIONS.maxAttempts) return await giveUp(db, operation, nowSeconds())
    if (await runSlice(env, db, operation, steps[operation.kind])) return
    await releaseOperation(db, operation, nowSeconds())
    await sendSteps(env, [operation.id])
  } catch (error) {
    await noteFault(db, operation, error)
  }
}

/** Runs steps for one slice of time. True when the operation is over, waits or is no longer ours. */
async function runSlice(
  env: Env,
  db: Db,
  operation: LeasedOperation,
  step: OperationStep,
): Promise<boolean> {
  const start = Date.now()
  do {
    const now = nowSeconds()
    const result = await step({ env, db, operation, now })
    if (result.outcome === 'ended') return true
    if (result.outcome === 'done') {
      await finishOperation(db, operation, result.result ?? null, now)
      return true
    }
    if (result.outcome === 'wait') {
      await pauseOperation(db, operation, result, result.until)
      return true
    }
    const { done, total, payload } = result
    const stored = await updateOperation(db, operation, { done, total, payload }, now)
    if (stored.length === 0) return true
    // Progress resets the count, as in the row: a fault in a later step is that step's first.
    Object.assign(operation, { done, total, payload, attempt: 0 })
  } while (Date.now() - start < OPERATIONS.sliceMs)
  return false
}

/** Ends an operation whose step failed again and again, which is an alarm. */
async function giveUp(db: Db, operation: LeasedOperation, now: number): Promise<void> {
  await failOperation(db, operation, GIVEN_UP, now)
  await noteTime(db, 'operation_given_up_at', now)
}

/** Ends an operation that cannot go on. After any other fault the sweeper's next message tries again. */
async function noteFault(db: Db, operation: LeasedOperation, error: unknown): Promise<void> {
  const now = nowSeconds()
  if (error instanceof OperationFailed) return failOperation(db, operation, error.message, now)
  const { id, kind, attempt } = operation
  console.error(JSON.stringify({ operation: id, kind, attempt, error: safeError(error) }))
  if (attempt >= OPERATIONS.maxAttempts) return giveUp(db, operation, now)
  await releaseOperation(db, operation, now)
}
