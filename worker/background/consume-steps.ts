/** The consumer of the step queue: a message names an operation, which it works on for a slice of time. */
import type { OperationKind } from '#contract/operations'
import { stepMessage } from '#contract/operations'
import { openDb, type Db } from '../db/client.ts'
import { Refusal } from '../db/refusal.ts'
import { safeError } from '../db/safe-error.ts'
import { noteTime } from '../db/vitals.ts'
import type { Env } from '../env.ts'
import { nowSeconds } from '../lib/clock.ts'
import {
  OPERATIONS,
  type LeasedOperation,
  changeOperation,
  ended,
  leaseOperation,
} from '../features/operations/queries.ts'
import { copycatPayload, copycatStep } from '../features/copycat/report-step.ts'
import { marksPayload, marksStep } from '../features/gradebook/refresh-step.ts'
import { rejudgeStep } from '../features/judging/rejudge/bulk-rejudge.ts'
import { rejudgePayload } from '../features/judging/rejudge/operation-queries.ts'
import { sendSteps } from '../lib/queues.ts'
import { OperationFailed, withPayload, type OperationStep } from '../features/operations/step.ts'

/** The step of every kind of operation, with the schema of its payload. */
export const STEPS: Record<OperationKind, OperationStep> = {
  rejudge: withPayload(rejudgePayload, rejudgeStep),
  copycat: withPayload(copycatPayload, copycatStep),
  marks: withPayload(marksPayload, marksStep),
}

const GIVEN_UP = 'Something went wrong on our side several times. Nothing more will be tried.'

/**
 * Works through the messages of a batch. A message that is late, repeated or for an operation that is over finds nothing to do and
 * is acknowledged. A malformed message is logged and dropped.
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

/** Leases one operation and runs its steps for a slice of time. */
async function workOn(
  env: Env,
  operationId: string,
  steps: Record<OperationKind, OperationStep>,
): Promise<void> {
  const db = openDb(env.DB)
  const operation = await leaseOperation(db, operationId, nowSeconds())
  if (!operation) return
  try {
    await runSlice(env, db, operation, steps[operation.kind]).catch((error: unknown) =>
      noteFault(db, operation, error),
    )
  } catch (error) {
    if (!isLeaseLost(error)) throw error
  }
}

/** Runs steps for one slice of time, and sends a message for the remaining steps. */
async function runSlice(
  env: Env,
  db: Db,
  operation: LeasedOperation,
  step: OperationStep,
): Promise<void> {
  // `attempt` counts slices that ended without a trace: a step that kills its consumer must not do so for ever.
  if (operation.attempt > OPERATIONS.maxAttempts) return giveUp(db, operation)
  const end = Date.now() + OPERATIONS.sliceMs
  do {
    const now = nowSeconds()
    const progress = await step({ env, db, operation, now })
    if (!progress) return
    // Progress resets the count: a fault in a later step is that step's first.
    const change = { ...progress, attempt: 0, leaseUntil: now + OPERATIONS.leaseSeconds }
    await changeOperation(db, operation, change)
    Object.assign(operation, change)
  } while (Date.now() < end)
  await releaseOperation(db, operation)
  await sendSteps(env, [operation.id])
}

/** Ends the lease, so that the next message can continue at once. */
function releaseOperation(db: Db, operation: LeasedOperation): Promise<void> {
  return changeOperation(db, operation, { lease: null, leaseUntil: null, sentAt: nowSeconds() })
}

/** Ends an operation as failed. The person who started it sees `error`. */
function failOperation(db: Db, operation: LeasedOperation, error: string): Promise<void> {
  return changeOperation(db, operation, { state: 'failed', error, ...ended(nowSeconds()) })
}

/** Ends an operation whose step failed again and again, and raises an alarm. */
async function giveUp(db: Db, operation: LeasedOperation): Promise<void> {
  await failOperation(db, operation, GIVEN_UP)
  await noteTime(db, 'operation_given_up_at', nowSeconds())
}

/** Whether the operation is over or another consumer works on it. */
function isLeaseLost(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'stale_lease'
}

/** Ends an operation that cannot go on. After any other fault the sweeper's next message tries again. */
async function noteFault(db: Db, operation: LeasedOperation, error: unknown): Promise<void> {
  if (isLeaseLost(error)) return
  if (error instanceof OperationFailed) return failOperation(db, operation, error.message)
  const { id, kind, attempt } = operation
  console.error(JSON.stringify({ operation: id, kind, attempt, error: safeError(error) }))
  await (attempt >= OPERATIONS.maxAttempts ? giveUp : releaseOperation)(db, operation)
}
