/** Delivers messages of the step queue like the platform; in tests a sent message goes nowhere. */
import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { Env } from '../../../worker/env.ts'
import { consumeSteps, STEPS } from '../../../worker/background/consume-steps.ts'
import { firstRow } from './sql.ts'

/** The Worker's bindings as its own code sees them. */
export const workerEnv = env as unknown as Env

let counter = 0

/**
 * Delivers one message with this body; answers how the consumer settled it.
 * @param steps replacements for steps of some kinds
 */
export async function deliver(
  body: unknown,
  steps: Partial<typeof STEPS> = {},
  bindings: Env = workerEnv,
) {
  counter += 1
  const batch = createMessageBatch('coursejudge-steps', [
    { id: String(counter), timestamp: new Date(), attempts: 1, body },
  ])
  await consumeSteps(batch, bindings, { ...STEPS, ...steps })
  return getQueueResult(batch, createExecutionContext())
}

/** Delivers messages for an operation until it ends or waits. */
export async function finishOperations(operationId: string): Promise<void> {
  for (let count = 0; count < 50; count += 1) {
    await deliver({ v: 1, jobId: operationId })
    const goesOn =
      await firstRow`select 1 from operations where id = ${operationId} and finished_at is null and lease_until is null`
    if (!goesOn) return
  }
  throw new Error('the operation does not end')
}
