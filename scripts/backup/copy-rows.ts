/**
 * Copies the rows of a running installation. It reads all rows until two successive readings agree. The database then
 * had these rows at the moment between the two readings, except for a row that changed and changed back.
 */
import type { DatabaseSync } from 'node:sqlite'
import { NOTES, type Query } from '../deploy/database.ts'
import { PlainError } from '../plain-error.ts'
import { openFile } from './folder.ts'
import { LOCK, listParts } from './lock.ts'
import { copyTable } from './rows.ts'
import { readSequences, sequenceStatements } from './sequences.ts'
import { readTable, readTables } from './tables.ts'

/** How often all rows are read at most, until two readings agree. */
const MOST_READINGS = 10

/** The schema: the tables; then their indexes, views and triggers. */
async function readSchema(query: Query): Promise<{ tables: string[]; others: string[] }> {
  const parts = await listParts(query)
  if (parts.some(({ name }) => name === LOCK))
    throw new PlainError(
      'A backup is being restored into this installation: run npm run restore again until it finishes, then this command.',
    )
  const indexes = await query(
    `select sql from sqlite_schema where type = 'index' and sql is not null and tbl_name not like '!_cf!_%' escape '!'`,
  )
  const tables = parts.filter(({ type }) => type === 'table').map(({ sql }) => sql)
  const others = parts.filter(({ type }) => type !== 'table').map(({ sql }) => sql)
  return { tables, others: [...indexes.map(({ sql }) => String(sql)), ...others] }
}

/**
 * Copies schema and rows into an empty SQLite file.
 * @throws PlainError when the rows change faster than they can be read
 */
export async function copyRows(query: Query, file: DatabaseSync): Promise<void> {
  const schema = await readSchema(query)
  for (const sql of schema.tables) file.exec(sql)
  const tables = [readTable(file, NOTES), ...readTables(file)]
  const seen = new Map<string, string>()
  for (let readings = 1; ; readings += 1) {
    const changed: string[] = []
    for (const table of tables) {
      const hash = await copyTable(query, openFile(file), table)
      if (seen.get(table.name) !== hash) changed.push(table.name)
      seen.set(table.name, hash)
    }
    if (changed.length === 0) break
    if (readings === MOST_READINGS)
      throw new PlainError(
        `These tables change faster than they can be read: ${changed.join(', ')}. Run the command again at a quieter hour.`,
      )
  }
  if (JSON.stringify(await readSchema(query)) !== JSON.stringify(schema))
    throw new PlainError('The installation was upgraded during the backup; run the command again.')
  await openFile(file).batch(sequenceStatements(await readSequences(query)))
  for (const sql of schema.others) file.exec(sql)
}
