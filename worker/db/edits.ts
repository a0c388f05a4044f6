/** Optimistic locking: edits of a stale version change nothing. */
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from './client.ts'
import { demand } from './demand.ts'

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
