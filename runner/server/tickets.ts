/** Tickets as the queue's pull API returns them. */
import * as z from 'zod'
import { ticket } from '#contract/judging'

/** A pulled message. A malformed one is acknowledged and nothing else. */
export interface PulledTicket {
  /** What it is acknowledged by; null: it came from the server, which wants nothing of that. */
  leaseId: string | null
  wellFormed: boolean
  /** Whose ticket it is; null: the server's message, or malformed. */
  judgementId: string | null
}

/** Bodies that were sent as JSON arrive in base64, those sent as text arrive as they are. */
function readTicket(body: unknown): Pick<PulledTicket, 'wellFormed' | 'judgementId'> {
  const read =
    typeof body === 'string'
      ? [body, Buffer.from(body, 'base64').toString('utf8')].map(parseOrNull)
      : [body]
  for (const value of read) {
    const { data } = ticket.safeParse(value)
    if (data) return { wellFormed: true, judgementId: data.judgementId }
  }
  return { wellFormed: false, judgementId: null }
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
      ...readTicket(body),
    })),
  )
