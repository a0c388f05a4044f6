/**
 * The lock of a restore: until the restore ends, only the restore itself changes rows. The Worker, its sweeper and judge hosts
 * do not know the lock; the database refuses their writes, and the API answers `restoring`.
 */
import { RESTORING_MESSAGE } from '#contract/errors'
import type { Database, Query, Statement } from '../deploy/database.ts'

/** The table that exists until a restore ends. Its `writing` is 1 only within a transaction of the restore. */
export const LOCK = 'restoring'

/** Lists tables, views and triggers with their statements, without those that belong to SQLite or D1. */
const PARTS = `select type, name, sql from sqlite_schema where type in ('table', 'view', 'trigger') and name not like 'sqlite!_%' escape '!' and name not like '!_cf!_%' escape '!'`

/** A table, view or trigger. */
export interface Part {
  type: 'table' | 'view' | 'trigger'
  name: string
  sql: string
}

export async function listParts(query: Query): Promise<Part[]> {
  const rows = await query(PARTS)
  return rows.map(({ type, name, sql }) => ({
    type: type === 'view' || type === 'trigger' ? type : 'table',
    name: String(name),
    sql: String(sql),
  }))
}

/** Lists the triggers of tables; those of views stay during a restore, because without them the API's statements are not understood. */
export async function listTableTriggers(query: Query): Promise<Part[]> {
  const parts = await listParts(query)
  return parts.filter(({ type, sql }) => type === 'trigger' && !/\bINSTEAD OF\b/.test(sql))
}

const CHANGES = ['insert', 'update', 'delete'] as const

const triggerName = (table: string, change: string) => `${LOCK}_${table}_${change}`

/** The statements that lock tables. D1 finds the body of a trigger only by BEGIN and END in capitals. */
export function lockStatements(tables: readonly string[]): Statement[] {
  const triggers = tables.flatMap((table) =>
    CHANGES.map(
      (change) =>
        `create trigger ${triggerName(table, change)} before ${change} on "${table}" when (select writing from ${LOCK}) = 0 BEGIN select raise(abort, '${RESTORING_MESSAGE}'); END`,
    ),
  )
  return [
    `create table ${LOCK} (writing integer not null)`,
    `insert into ${LOCK} values (0)`,
    ...triggers,
  ].map((sql) => ({ sql }))
}

/** Runs statements that change locked tables, in one transaction. */
export async function writeLocked(
  { batch }: Database,
  statements: readonly Statement[],
): Promise<void> {
  const opened = { sql: `update ${LOCK} set writing = 1` }
  const closed = { sql: `update ${LOCK} set writing = 0` }
  await batch([opened, ...statements, closed])
}

/** Removes the lock, and makes the triggers of tables again, in one transaction. */
export async function endLock(
  { batch }: Database,
  tables: readonly string[],
  triggers: readonly Part[],
): Promise<void> {
  const drops = tables.flatMap((table) =>
    CHANGES.map((change) => ({ sql: `drop trigger ${triggerName(table, change)}` })),
  )
  await batch([...drops, { sql: `drop table ${LOCK}` }, ...triggers.map(({ sql }) => ({ sql }))])
}
