/** Optimistic locking: edits of a stale version change nothing. */
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'

/**
 * The condition that a row still has the version that the edit is based on.
 * @param version column of the row
 * @param basedOn null when the caller does not say; then the last write wins
 */
export function isVersion(version: SQLWrapper, basedOn: number | null): SQL {
  return basedOn === null ? sql`1` : sql`${version} = ${basedOn}`
}
