/**
 * Walks of the sweeper: through a table or the bucket, a page at a time, from where the last page ended. They find what is
 * old without an index, which would be a row written for each row of the table.
 */
import { and, eq, gt, lt, lte, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { execute, type Db } from './client.ts'
import { sweepPositions } from './schema.ts'
import { bare } from './statements.ts'

/** The last key that a walk has seen; empty at its start. */
export async function positionOf(db: Db, walk: string): Promise<string> {
  const found = await db
    .select({ after: sweepPositions.after })
    .from(sweepPositions)
    .where(eq(sweepPositions.prefix, walk))
    .get()
  return found?.after ?? ''
}

/** The statement that notes the last key that a walk has seen. */
export function moveTo(db: Db, walk: string, after: string) {
  return db
    .insert(sweepPositions)
    .values({ prefix: walk, after })
    .onConflictDoUpdate({ target: sweepPositions.prefix, set: { after } })
}

/**
 * The next page of a walk through a table by a key of text.
 * @param walk its name
 * @param below the walk ends before this key and waits for later ones; without it, it begins anew at the table's end
 * @returns the condition for the page's rows, and the statement that moves on, for one batch
 */
export async function nextPage(
  db: Db,
  walk: string,
  key: SQLiteColumn,
  rows: number,
  below?: string,
) {
  const after = await positionOf(db, walk)
  const isNext = and(gt(key, after), below === undefined ? undefined : lt(key, below))
  const [page] = await execute<{ last: string | null; count: number }>(
    db,
    sql`select max(key) as last, count(*) as count
      from (select ${bare(key)} as key from ${key.table} where ${isNext} order by ${key} limit ${rows})`,
  )
  const { last = null, count = 0 } = page ?? {}
  const isEnd = count < rows && below === undefined
  return {
    isInPage: and(isNext, lte(key, last ?? after)),
    moveOn: moveTo(db, walk, isEnd ? '' : (last ?? after)),
  }
}
