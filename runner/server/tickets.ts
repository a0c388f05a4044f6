/** Tickets as the queue's pull API returns them. */
import * as z from 'zod'
import { ticket } from '#contract/judging'

/** A pulled message. A malformed one is acknowledged and nothing else. */
export interface PulledTicket {
  /** What it is acknowledged by; null: it came from the server, which wants nothing of that. */
  leaseId: string | null
  wellFormed: boolean
}

/** Bodies that were sent as JSON arrive in base64, those sent as text arrive as they are. */
function isTicket(body: unknown): boolean {
  if (typeof body !== 'string') return ticket.safeParse(body).success
  return [body, Buffer.from(body, 'base64').toString('utf8')].some((text) => {
    try {
      return ticket.safeParse(JSON.parse(text)).success
    } catch {
      return false
    }
  })
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
      wellFormed: isTicket(body),
    })),
  )
