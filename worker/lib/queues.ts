/**
 * What goes into the two queues. A message only says that there is work; the truth is in D1, and the
 * sweeper sends again what got lost. A lost message costs time, never a submission or a job.
 */
import { taskMessage } from '#contract/jobs'
import { ticket } from '#contract/judging'
import type { Env } from '../env.ts'

/** Tells the runners of each judgement. A failure is logged. */
export async function sendTickets(env: Env, judgementIds: string[]): Promise<void> {
  if (judgementIds.length === 0) return
  try {
    await env.JUDGE_QUEUE.sendBatch(
      judgementIds.map((judgementId) => ({ body: ticket.parse({ v: 1, judgementId }) })),
    )
  } catch (error) {
    console.error(JSON.stringify({ tickets: judgementIds.length, error: String(error) }))
  }
}

/** Tells the consumer of each job that it has work left. A failure is logged. */
export async function sendTasks(env: Env, jobIds: string[]): Promise<void> {
  if (jobIds.length === 0) return
  try {
    await env.TASKS.sendBatch(jobIds.map((jobId) => ({ body: taskMessage.parse({ v: 1, jobId }) })))
  } catch (error) {
    console.error(JSON.stringify({ tasks: jobIds.length, error: String(error) }))
  }
}
