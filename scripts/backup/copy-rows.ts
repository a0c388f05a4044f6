/**
 * Copies the rows of a running installation. It is read until a whole reading finds what the one before has found: so all rows
 * were there at the same moment, between the two.
 */
import type { DatabaseSync } from 'node:sqlite'
import { NOTES, type Query } from '../deploy/database.ts'
import { PlainError } from '../plain-error.ts'
import { openFile } from './folder.ts'
import { LOCK, listParts } from './lock.ts'
import { copyPage, readPages } from './rows.ts'
import { readTable, readTables, type Table } from './tables.ts'

/** Readings of all rows, at most. */
const MOST_READINGS = 10

/** The schema: tables, then what is on them. */
async function readSchema(query: Query): Promise<{ tables: string[]; others: string[] }> {
  const parts = await listParts(query)
  if (parts.some(({ name }) => name === LOCK))
    throw new PlainError(
      'A backup is being restored into this installation: run that command again until it is through, then this one.',
    )
  const indexes = await query(
    `select sql from sqlite_schema where type = 'index' and sql is not null and tbl_name not like '!_cf!_%' escape '!'`,
  )
  const tables = parts.filter(({ type }) => type === 'table').map(({ sql }) => sql)
  const others = parts.filter(({ type }) => type !== 'table').map(({ sql }) => sql)
  return { tables, others: [...indexes.map(({ sql }) => String(sql)), ...others] }
}

/** Reads all rows once; answers the tables that have other rows than the file, which then has them. */
async function readAll(
  query: Query,
  file: DatabaseSync,
  tables: readonly Table[],
): Promise<string[]> {
  const changed: string[] = []
  for (const table of tables) {
    let differs = false
    for await (const page of readPages(query, table))
      if (await copyPage(openFile(file), table, page)) differs = true
    if (differs) changed.push(table.name)
  }
  return changed
}

/**
 * Copies schema and rows into an empty SQLite file.
 * @throws PlainError when the rows change faster than they can be read
 */
export async function copyRows(query: Query, file: DatabaseSync): Promise<void> {
  const schema = await readSchema(query)
  for (const sql of schema.tables) file.exec(sql)
  const tables = [readTable(file, NOTES), ...readTables(file)]
  let changed = await readAll(query, file, tables)
  for (let readings = 1; changed.length > 0; readings += 1) {
    if (readings === MOST_READINGS)
      throw new PlainError(
        `These tables change faster than all can be read: ${changed.join(', ')}. Run the command again at a quieter hour.`,
      )
    changed = await readAll(query, file, tables)
  }
  if (JSON.stringify(await readSchema(query)) !== JSON.stringify(schema))
    throw new PlainError('The installation was upgraded meanwhile; run the command again.')
  for (const sql of schema.others) file.exec(sql)
}
