/** Messages of the task queue: "this job has work left". A lost one costs time, never a job. */
import { taskMessage } from '#contract/jobs'
import type { Env } from '../../env.ts'

/** Sends a message for each job. A failure is logged; the sweeper sends another. */
export async function sendTasks(env: Env, jobIds: string[]): Promise<void> {
  if (jobIds.length === 0) return
  try {
    await env.TASKS.sendBatch(jobIds.map((jobId) => ({ body: taskMessage.parse({ v: 1, jobId }) })))
  } catch (error) {
    console.error(JSON.stringify({ tasks: jobIds.length, error: String(error) }))
  }
}
