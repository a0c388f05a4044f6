/** GET /health. */
import * as z from 'zod'
import { storageState } from '#contract/installation/storage'

/** `strict`: 503 as well when judging stands still: no judge host is alive, or a live job waits too long. */
export const healthParams = z.object({ strict: z.enum(['0', '1']).optional() })

/**
 * - `db`: whether the database answers
 * - `schema`: `behind` until the newest migration that the code was built with is applied; `unknown` while the database is down
 * - `queue`: whether the queue of tickets answers
 * - `runners`: judge hosts whose heartbeat is younger than 45 s
 * - `oldestSeconds`: how long the oldest live job has waited for a judge host; bulk rejudges do not count
 * - `sweep`: `late` when the sweeper has not run for five minutes instead of each minute; `unchecked` before its first run
 * - `storage`: whether the bucket belongs to the database; nothing is deleted from it unless it is `ok`
 */
export const health = z.object({
  version: z.string(),
  db: z.enum(['ok', 'down']),
  schema: z.enum(['ok', 'behind', 'unknown']),
  queue: z.enum(['ok', 'down']),
  runners: z.int(),
  oldestSeconds: z.int(),
  sweep: z.enum(['ok', 'late', 'unchecked']),
  storage: storageState,
})
export type Health = z.infer<typeof health>
