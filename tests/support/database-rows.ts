/** Rows of a stack's local database that no call shows. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as z from 'zod'
import { databaseFile } from '../../scripts/stack/local-database.ts'

/** Reads rows while the Worker runs. */
export function rowsOf<T>(stateDir: string, sql: string, row: z.ZodType<T>): T[] {
  const database = new DatabaseSync(databaseFile(join(stateDir, 'worker')), { readOnly: true })
  try {
    database.exec('pragma busy_timeout = 10000')
    return z.array(row).parse(database.prepare(sql).all())
  } finally {
    database.close()
  }
}
