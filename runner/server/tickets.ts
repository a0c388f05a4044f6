/** The queue's messages as its pull API gives them. */
import * as z from 'zod'
import { ticket } from '#contract/judging'

/** A message taken from the queue; malformed ones are only worth acknowledging. */
export interface PulledTicket {
  leaseId: string
  wellFormed: boolean
}

/** Queue bodies sent as JSON arrive in base64, those sent as text arrive bare. */
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

/** The answer to a pull. */
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
