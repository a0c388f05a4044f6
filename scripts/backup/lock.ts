/**
 * The lock of a restore: until it is through, only the restore itself changes rows. The Worker, its sweeper and judge hosts
 * know nothing of it; the database refuses what they write, and the API answers `restoring`.
 */
import { RESTORING_MESSAGE } from '#contract/errors'
import type { Query } from '../deploy/database.ts'

/** The table that says that a restore has begun. `writing` is 1 only within a transaction of the restore. */
export const LOCK = 'restoring'
/** Holds rows on their way into their tables, for a transaction takes no parameters. */
const STAGE = 'restoring_rows'

/** The tables with their statements, without those of SQLite and D1 themselves. */
export const TABLES = `select name, sql from sqlite_schema where type = 'table' and name not like 'sqlite!_%' escape '!' and name not like '!_cf!_%' escape '!'`

const CHANGES = ['insert', 'update', 'delete'] as const

const triggerName = (table: string, change: string) => `${LOCK}_${table}_${change}`

/** The names of the tables that are locked: all but the lock's own and the notes of migrations. */
async function listLocked(query: Query): Promise<string[]> {
  const names = (await query(TABLES)).map(({ name }) => String(name))
  return names.filter((name) => ![LOCK, STAGE, 'd1_migrations'].includes(name))
}

/** Says that a restore has begun. What is left of one that broke off goes with its tables. */
export async function beginLock(query: Query, madeAt: string): Promise<void> {
  await query(
    `drop table if exists ${STAGE}; drop table if exists ${LOCK}; create table ${LOCK} (backup text, writing integer not null);
    insert into ${LOCK} values ('${madeAt}', 0); create table ${STAGE} (piece text not null)`,
  )
}

/** Locks every table that is there. */
export async function lockTables(query: Query): Promise<void> {
  const triggers = (await listLocked(query)).flatMap((table) =>
    CHANGES.map(
      (change) =>
        `create trigger ${triggerName(table, change)} before ${change} on "${table}" when (select writing from ${LOCK}) = 0
        begin select raise(abort, '${RESTORING_MESSAGE}'); end`,
    ),
  )
  await query(triggers.join('; '))
}

/** Runs statements that change locked tables, in one transaction. */
export async function writeLocked(query: Query, ...statements: readonly string[]): Promise<void> {
  const opened = `update ${LOCK} set writing = 1`
  const closed = `update ${LOCK} set writing = 0`
  await query([opened, ...statements, closed].join('; '))
}

/**
 * Runs a statement that changes locked tables with a text that may be larger than a statement.
 * @param statementOf the statement, which finds the text under the name that it is given
 */
export async function writeStaged(
  query: Query,
  piece: string,
  statementOf: (piece: string) => string,
): Promise<void> {
  await query(`insert into ${STAGE} (piece) values (?1)`, [piece])
  await writeLocked(query, statementOf(`(select piece from ${STAGE})`), `delete from ${STAGE}`)
}

/** Lets everybody in again, in one transaction. */
export async function endLock(query: Query): Promise<void> {
  const drops = (await listLocked(query)).flatMap((table) =>
    CHANGES.map((change) => `drop trigger ${triggerName(table, change)}`),
  )
  await query([...drops, `drop table ${STAGE}`, `drop table ${LOCK}`].join('; '))
}
