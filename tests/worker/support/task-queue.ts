/** Delivers messages of the task queue, as the platform would; in tests a sent message goes nowhere. */
import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { Env } from '../../../worker/env.ts'
import { consumeTasks } from '../../../worker/background/consume-tasks.ts'

/** The Worker's bindings as its own code sees them. */
export const workerEnv = env as unknown as Env

let counter = 0

/** Delivers one message with this body; gives what became of it. */
export async function deliver(
  body: unknown,
  steps?: Parameters<typeof consumeTasks>[2],
  bindings: Env = workerEnv,
) {
  counter += 1
  const batch = createMessageBatch('coursejudge-tasks', [
    { id: String(counter), timestamp: new Date(), attempts: 1, body },
  ])
  await consumeTasks(batch, bindings, steps)
  return getQueueResult(batch, createExecutionContext())
}

/** Delivers messages for a job until it is over. */
export async function finishJobs(jobId: string): Promise<void> {
  for (let count = 0; count < 50; count += 1) {
    const open = await env.DB.prepare('select 1 from jobs where id = ? and finished_at is null')
      .bind(jobId)
      .first()
    if (!open) return
    await deliver({ v: 1, jobId })
  }
  throw new Error('the job does not end')
}
