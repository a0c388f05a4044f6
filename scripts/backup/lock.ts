/**
 * The lock of a restore: until it is through, only the restore itself changes rows. The Worker, its sweeper and judge hosts
 * know nothing of it; the database refuses what they write, and the API answers `restoring`.
 */
import { RESTORING_MESSAGE } from '#contract/errors'
import { NOTES, type Database, type Query, type Statement } from '../deploy/database.ts'

/** The table that says that a restore has begun. `writing` is 1 only within a transaction of the restore. */
export const LOCK = 'restoring'

/** The tables, views and triggers with their statements, without those of SQLite and D1 themselves. */
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

const CHANGES = ['insert', 'update', 'delete'] as const

const triggerName = (table: string, change: string) => `${LOCK}_${table}_${change}`

/** The names of the tables that are locked: all but the lock's own and the notes of migrations. */
export function lockedOf(parts: readonly Pick<Part, 'type' | 'name'>[]): string[] {
  const tables = parts.filter(({ type }) => type === 'table').map(({ name }) => name)
  return tables.filter((name) => name !== LOCK && name !== NOTES)
}

/** The statements that lock tables. D1 knows the body of a trigger by its capitals. */
export function lockStatements(tables: readonly string[]): Statement[] {
  return tables.flatMap((table) =>
    CHANGES.map((change) => ({
      sql: `create trigger if not exists ${triggerName(table, change)} before ${change} on "${table}" when (select writing from ${LOCK}) = 0 BEGIN select raise(abort, '${RESTORING_MESSAGE}'); END`,
    })),
  )
}

/** Locks every table, in one transaction; nothing else changes. */
export async function beginLock({ query, batch }: Database, madeAt: string): Promise<void> {
  const tables = lockedOf(await listParts(query))
  await batch([
    {
      sql: `create table if not exists ${LOCK} (backup text, writing integer not null, emptied integer not null)`,
    },
    { sql: `insert into ${LOCK} select '', 0, 0 where not exists (select 1 from ${LOCK})` },
    { sql: `update ${LOCK} set backup = ?1, writing = 0`, params: [madeAt] },
    ...lockStatements(tables),
  ])
}

/** Whether what the installation held before the lock is gone. */
export async function isEmptied(query: Query): Promise<boolean> {
  const [row] = await query(`select emptied from ${LOCK}`)
  return row?.['emptied'] !== 0
}

/** The statement that notes that. */
export const EMPTIED: Statement = { sql: `update ${LOCK} set emptied = 1` }

/** Runs statements that change locked tables, in one transaction. */
export async function writeLocked(
  { batch }: Database,
  statements: readonly Statement[],
): Promise<void> {
  const opened = { sql: `update ${LOCK} set writing = 1` }
  const closed = { sql: `update ${LOCK} set writing = 0` }
  await batch([opened, ...statements, closed])
}

/**
 * Lets everybody in again, in one transaction.
 * @param also what else it does
 */
export async function endLock(
  { query, batch }: Database,
  also: readonly Statement[] = [],
): Promise<void> {
  const drops = lockedOf(await listParts(query)).flatMap((table) =>
    CHANGES.map((change) => ({ sql: `drop trigger if exists ${triggerName(table, change)}` })),
  )
  await batch([...drops, ...also, { sql: `drop table ${LOCK}` }])
}
