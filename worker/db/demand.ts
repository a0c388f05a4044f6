/** Conditions of a batch: each is one statement, and where one does not hold, nothing of the batch is written. */
import { is, SQL, sql } from 'drizzle-orm'
import type { ErrorCode } from '#contract/errors'
import { rawQuery, type Db } from './client.ts'
import { DEMAND } from './refusal.ts'
import { demands } from './schema.ts'
import { columnName } from './statements.ts'

/**
 * The statement that refuses its whole batch unless a condition is true: `db.batch` throws the `Refusal`. The condition sees
 * what earlier statements wrote; of several demands the first one that fails gives the code.
 * @param data for the refusal; an expression gives JSON
 */
export function demand(db: Db, code: ErrorCode, condition: SQL, data: unknown = null) {
  const json = is(data, SQL) ? data : JSON.stringify(data)
  const refusal = sql`${`${DEMAND}${code} `} || ${json}`
  return rawQuery<never>(
    db,
    sql`insert into ${demands} (${columnName(demands.refusal)})
      select ${refusal} where (${condition}) is not true`,
  )
}
