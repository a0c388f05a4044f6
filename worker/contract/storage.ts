/** Whether the database and the bucket belong together, and what the sweeper waits for. */
import * as z from 'zod'

/**
 * `ok`: they do. `unchecked`: the sweeper has not run since the database was made. `mismatch`: the installation id is not
 * the same in both. `held`: many objects of one page would be deleted. The sweeper deletes nothing but where it is `ok`.
 */
export const storageState = z.enum(['ok', 'unchecked', 'mismatch', 'held'])

/** Answer of GET /storage. `held`: the page that waits: how its keys begin, objects that nothing names, objects of it. */
export const storageStatus = z.object({
  state: storageState,
  held: z.object({ prefix: z.string(), orphans: z.int(), objects: z.int() }).nullable(),
})
export type StorageStatus = z.infer<typeof storageStatus>

/**
 * POST /storage/confirm, with the state that is confirmed. `mismatch`: the bucket is this database's. `held`: for a day
 * pages of which many objects would be deleted may be.
 */
export const storageConfirmation = z.object({ state: z.enum(['mismatch', 'held']) })
