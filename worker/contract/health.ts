/** GET /health. */
import * as z from 'zod'
import { storageState } from '#contract/storage'

/**
 * `runners` counts heartbeats younger than 45 s. `storage`: whether the bucket belongs to the database;
 * nothing is deleted from it unless it is `ok`.
 */
export const health = z.object({
  version: z.string(),
  db: z.enum(['ok', 'down']),
  queue: z.enum(['ok', 'down']),
  runners: z.int(),
  storage: storageState,
})
export type Health = z.infer<typeof health>
