/** Whether the database and the bucket belong together, and what an admin has to confirm. */
import * as z from 'zod'

/**
 * - `ok`: they belong together
 * - `unchecked`: the sweeper has not run since the database was made
 * - `mismatch`: their installation ids differ
 * - `held`: many objects of one page would be deleted
 * The sweeper deletes only while it is `ok`.
 */
export const storageState = z.enum(['ok', 'unchecked', 'mismatch', 'held'])

/**
 * Answer of GET /storage. `held`: the page that waits: the prefix of its keys, how many of its objects are
 * orphans, how many it has.
 */
export const storageStatus = z.object({
  state: storageState,
  held: z.object({ prefix: z.string(), orphans: z.int(), objects: z.int() }).nullable(),
})
export type StorageStatus = z.infer<typeof storageStatus>

/**
 * POST /storage/confirm, with the state to confirm. `mismatch`: the bucket belongs to this database.
 * `held`: for a day, pages with many orphans may be deleted.
 */
export const storageConfirmation = z.object({ state: z.enum(['mismatch', 'held']) })
