/** GET /health (contract §10). */
import * as z from 'zod'

/** `runners` counts heartbeats younger than 45 s. */
export const health = z.object({
  version: z.string(),
  db: z.enum(['ok', 'down']),
  queue: z.enum(['ok', 'down']),
  runners: z.int(),
})
export type Health = z.infer<typeof health>
