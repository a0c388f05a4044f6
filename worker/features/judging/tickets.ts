/** Tickets: queue messages that say "there is work". A lost one costs time, never a submission. */
import { ticket } from '#contract/judging'
import type { Env } from '../../env.ts'

/** Sends a ticket for each judgement. A failure is logged; the sweeper sends another. */
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
