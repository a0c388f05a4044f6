/** Whether the database has the schema that the code was built with. */
import { sql } from 'drizzle-orm'
import type { Health } from '#contract/installation/health'
import journal from '../../migrations/meta/_journal.json' with { type: 'json' }
import { rawQuery, type Db } from './client.ts'

/** The name under which wrangler records the newest migration (table `d1_migrations`). */
export const NEWEST_MIGRATION = `${journal.entries.at(-1)?.tag}.sql`

/**
 * Whether the schema is as new as the code. A newer schema is `ok`, too: a deploy migrates first, and the older code runs on the
 * new schema until it is replaced.
 */
export async function checkSchema(db: Db): Promise<Health['schema']> {
  try {
    const applied = sql`select 1 from d1_migrations where name = ${NEWEST_MIGRATION}`
    return (await rawQuery(db, applied)).length > 0 ? 'ok' : 'behind'
  } catch (error) {
    // A database without any migration answers, but has no such table.
    if (String((error as Error).cause).includes('no such table')) return 'behind'
    console.error(JSON.stringify({ health: 'database', error: String(error) }))
    return 'unknown'
  }
}
