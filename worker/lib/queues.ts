/**
 * Messages of the two queues. A message only says that there is work: the truth is in D1, and the sweeper sends lost messages
 * again. A lost message costs time, never a submission or an operation.
 */
import { stepMessage } from '#contract/operations'
import { ticket } from '#contract/judging'
import type { Env } from '../env.ts'
import { wakeHosts } from './live.ts'

/** Most messages per send (limit of Cloudflare Queues). */
const MESSAGES_PER_SEND = 100

/** Sends bodies in as many batches as they need. A batch that fails is logged and does not stop the rest. */
async function sendAll(queue: Queue, bodies: unknown[], what: string): Promise<void> {
  for (let start = 0; start < bodies.length; start += MESSAGES_PER_SEND) {
    const part = bodies.slice(start, start + MESSAGES_PER_SEND)
    try {
      await queue.sendBatch(part.map((body) => ({ body })))
    } catch (error) {
      console.error(JSON.stringify({ [what]: part.length, error: String(error) }))
    }
  }
}

/**
 * Sends a ticket for each judgement, and wakes hosts that wait.
 * @param but the id of a host that is not woken, because it has just handed the jobs back
 */
export async function sendTickets(env: Env, judgementIds: string[], but?: string): Promise<void> {
  const tickets = judgementIds.map((judgementId) => ticket.parse({ v: 1, judgementId }))
  if (tickets.length === 0) return
  await Promise.all([
    wakeHosts(env, tickets.length, but),
    sendAll(env.JUDGE_QUEUE, tickets, 'tickets'),
  ])
}

/** Sends a message for each operation with work left. */
export async function sendSteps(env: Env, operationIds: string[]): Promise<void> {
  const messages = operationIds.map((operationId) =>
    stepMessage.parse({ v: 1, jobId: operationId }),
  )
  await sendAll(env.STEP_QUEUE, messages, 'steps')
}
