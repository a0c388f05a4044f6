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
 * The database's size in bytes; it can hold `DATABASE.mostBytes`. `weeklyBytes`: the database's growth in seven days, at the
 * pace of the last four weeks; null until there are two days to compare. `weeksLeft`: weeks until the database is full at that
 * pace; null when it does not grow.
 */
export const databaseSize = z.object({
  bytes: z.int(),
  weeklyBytes: z.int().nullable(),
  weeksLeft: z.int().nullable(),
})
export type DatabaseSize = z.infer<typeof databaseSize>

/**
 * Answer of GET /storage. `held`: the page of objects whose deletion waits: its key prefix, the number of its orphans, and of all
 * its objects.
 */
export const storageStatus = z.object({
  state: storageState,
  held: z.object({ prefix: z.string(), orphans: z.int(), objects: z.int() }).nullable(),
  database: databaseSize,
})
export type StorageStatus = z.infer<typeof storageStatus>

/**
 * POST /storage/confirm, with the state to confirm. `mismatch` confirms that the bucket belongs to this database. `held`
 * permits the sweeper, for a day, to delete pages with many orphans.
 */
export const storageConfirmation = z.object({ state: z.enum(['mismatch', 'held']) })
