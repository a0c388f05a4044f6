/** Tickets as the queue's pull API returns them. */
import * as z from 'zod'
import { ticket } from '#contract/judging'

/** A pulled message. */
export interface PulledTicket {
  /** The queue's lease of the message, which acknowledges it. */
  leaseId: string
  /** The judgement that the ticket is for; null for a malformed ticket, which is only acknowledged. */
  judgementId: string | null
}

/** A body that was sent as JSON arrives in base64; a body that was sent as text arrives unchanged. */
function judgementIdOf(body: unknown): string | null {
  const read =
    typeof body === 'string'
      ? [body, Buffer.from(body, 'base64').toString('utf8')].map(parseOrNull)
      : [body]
  const found = read.map((value) => ticket.safeParse(value).data)
  return found.find((data) => data !== undefined)?.judgementId ?? null
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Schema of the answer to a pull. */
export const pulledTickets = z
  .object({
    success: z.literal(true),
    result: z.object({ messages: z.array(z.object({ lease_id: z.string(), body: z.unknown() })) }),
  })
  .transform(({ result }): PulledTicket[] =>
    result.messages.map(({ lease_id, body }) => ({
      leaseId: lease_id,
      judgementId: judgementIdOf(body),
    })),
  )
