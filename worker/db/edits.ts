/** Optimistic locking: edits of a stale version change nothing. */
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from './client.ts'
import { demand } from './demand.ts'
import { Refusal } from './refusal.ts'

/** How often a change is tried while other changes of the same rows come in between. */
const TRIES = 3

/**
 * The condition that a row still has the version that the edit is based on.
 * @param version column of the row
 * @param basedOn null when the caller does not say; then the last write wins
 */
export function isVersion(version: SQLWrapper, basedOn: number | null): SQL {
  return basedOn === null ? sql`1` : sql`${version} = ${basedOn}`
}

/** A table whose rows are edited, and perhaps marked as deleted. */
type Edited = SQLiteTable & Record<'id' | 'version', SQLiteColumn> & { deletedAt?: SQLiteColumn }

/** The statement that refuses its batch unless the row exists in the version that the edit is based on. */
export function demandCurrent(db: Db, table: Edited, id: number | string, basedOn: number | null) {
  const isLive = table.deletedAt ? sql`${table.deletedAt} is null` : sql`1`
  const isCurrent = sql`exists (select 1 from ${table} where ${table.id} = ${id} and ${isLive}
    and ${isVersion(table.version, basedOn)})`
  return demand(db, 'stale_edit', isCurrent)
}

/**
 * Makes a change that follows from what it reads, and that demands that nobody has changed this meanwhile. If somebody has, it reads again.
 * @throws Refusal `stale_edit` if others come in between each time
 */
export async function whileOvertaken<Done>(change: () => Promise<Done>): Promise<Done> {
  for (let tries = 1; ; tries += 1)
    try {
      return await change()
    } catch (error) {
      const isOvertaken = error instanceof Refusal && error.code === 'stale_edit'
      if (!isOvertaken || tries === TRIES) throw error
    }
}
