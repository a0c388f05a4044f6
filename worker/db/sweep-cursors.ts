/**
 * Cursors of the sweeper over a table or the bucket: it reads a page at a time, from where the last page ended. So it finds old
 * rows without an index, which would cost another written row for each row of the table.
 */
import { and, eq, gt, lt, lte, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { rawQuery, type Db } from './client.ts'
import { sweepPositions } from './schema.ts'
import { columnName } from './statements.ts'

/** The last key that a cursor has passed; empty at its start. */
export async function readCursor(db: Db, cursor: string): Promise<string> {
  const found = await db
    .select({ after: sweepPositions.after })
    .from(sweepPositions)
    .where(eq(sweepPositions.prefix, cursor))
    .get()
  return found?.after ?? ''
}

/** Where a cursor is. */
export interface Cursor {
  /** The last key that the cursor has passed; empty at its start. */
  after: string
  /** A cursor at its start waits until this time; epoch seconds. */
  restUntil: number
}

/** All cursors by their names. */
export async function readCursors(db: Db): Promise<Map<string, Cursor>> {
  const rows = await db.select().from(sweepPositions)
  return new Map(rows.map(({ prefix, ...cursor }) => [prefix, cursor]))
}

/**
 * The statement that notes the last key that a cursor has passed.
 * @param restUntil until when a cursor at its start waits; epoch seconds
 */
export function moveCursor(db: Db, cursor: string, after: string, restUntil = 0) {
  return db
    .insert(sweepPositions)
    .values({ prefix: cursor, after, restUntil })
    .onConflictDoUpdate({ target: sweepPositions.prefix, set: { after, restUntil } })
}

/**
 * The next page of a table behind a cursor, ordered by a text key.
 * @param cursor the cursor's name
 * @param below the cursor stops before this key and waits for later keys; without it, the cursor starts again after the table's end
 * @returns the condition for the page's rows, and the statement that moves on, for one batch
 */
export async function nextPage(
  db: Db,
  cursor: string,
  key: SQLiteColumn,
  rows: number,
  below?: string,
) {
  const after = await readCursor(db, cursor)
  const isNext = and(gt(key, after), below === undefined ? undefined : lt(key, below))
  const [page] = await rawQuery<{ last: string | null; count: number }>(
    db,
    sql`select max(key) as last, count(*) as count
      from (select ${columnName(key)} as key from ${key.table} where ${isNext} order by ${key} limit ${rows})`,
  )
  const { last = null, count = 0 } = page ?? {}
  const isEnd = count < rows && below === undefined
  return {
    isInPage: and(isNext, lte(key, last ?? after)),
    advance: moveCursor(db, cursor, isEnd ? '' : (last ?? after)),
  }
}
