/** The installation's D1 database: its migrations and its first admin. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { PlainError } from '../plain-error.ts'
import { ApiError, type Cloudflare } from './cloudflare.ts'

/** The table of applied migrations. It is wrangler's, so that both tools may be used on the same database. */
export const NOTES = 'd1_migrations'
const NEW_NOTES = `CREATE TABLE ${NOTES} (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`

const answers = z.array(z.object({ results: z.array(z.record(z.string(), z.unknown())) }))

/** Runs a statement; returns its rows. */
export type Query = (sql: string, params?: readonly string[]) => Promise<Record<string, unknown>[]>

export interface Statement {
  sql: string
  params?: readonly string[]
}

export interface Database {
  query: Query
  /** Runs statements in one transaction. They are separate, because D1's own splitting of SQL fails at triggers and comments. */
  batch(statements: readonly Statement[]): Promise<void>
}

/** The database with this id. */
export function openDatabase(cloudflare: Cloudflare, account: string, id: string): Database {
  const path = `/accounts/${account}/d1/database/${id}/query`
  return {
    async query(sql, params = []) {
      const body = { sql, ...(params.length > 0 && { params }) }
      const [first] = await cloudflare.call('POST', path, answers, body)
      return first?.results ?? []
    },
    async batch(statements) {
      await cloudflare.call('POST', path, answers, { batch: statements })
    },
  }
}

/** The tables, without those that belong to SQLite or D1. */
async function listTables(query: Query): Promise<string[]> {
  const rows = await query(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' AND name NOT LIKE '!_cf!_%' ESCAPE '!'",
  )
  return rows.map(({ name }) => String(name))
}

/**
 * The id that the Worker's sweeper wrote; null before its first run.
 * @throws PlainError when the database holds tables of another program
 */
export async function installationId(query: Query): Promise<string | null> {
  const tables = await listTables(query)
  if (tables.length > 0 && !tables.includes(NOTES))
    throw new PlainError(
      `The database holds tables of another program (${tables.slice(0, 3).join(', ')}): deploy under another name with --env NAME.`,
    )
  if (!tables.includes('installation')) return null
  const [row] = await query('SELECT token FROM installation WHERE id = 1')
  return typeof row?.['token'] === 'string' ? row['token'] : null
}

/** A statement in one line without comments: people report that D1 refuses triggers with Windows line ends, and some with several lines. */
function oneLine(sql: string): string {
  return sql
    .replaceAll(
      /('[^']*'|"[^"]*"|`[^`]*`)|--.*|\/\*[^]*?\*\/|\s+/g,
      (_, quoted?: string) => quoted ?? ' ',
    )
    .trim()
}

/** The statements of one migration and the note that it was applied. */
function migrationStatements(folder: string, name: string): Statement[] {
  const parts = readFileSync(join(folder, name), 'utf8').split('--> statement-breakpoint')
  const statements = parts.map(oneLine).filter(Boolean)
  return [...statements, `INSERT INTO ${NOTES} (name) VALUES ('${name}')`].map((sql) => ({ sql }))
}

function listMigrations(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
}

/** The statements that make the schema in a database without tables. */
export function schemaStatements(folder: string): Statement[] {
  const migrations = listMigrations(folder).flatMap((name) => migrationStatements(folder, name))
  return [{ sql: NEW_NOTES }, ...migrations]
}

/**
 * Applies the missing migrations, each in a transaction; returns their names.
 * @throws PlainError when the database knows more migrations than the folder
 */
export async function migrate({ query, batch }: Database, folder: string): Promise<string[]> {
  const files = listMigrations(folder)
  if (!(await listTables(query)).includes(NOTES)) await query(NEW_NOTES)
  const rows = await query(`SELECT name FROM ${NOTES} ORDER BY id`)
  const applied = rows.map(({ name }) => String(name))
  const newer = applied.filter((name) => !files.includes(name))
  if (newer.length > 0)
    throw new PlainError(
      `The database is newer than this code, which does not know the migrations ${newer.join(', ')}: deploy the version that applied them.`,
    )
  const missing = files.filter((name) => !applied.includes(name))
  for (const name of missing) await batch(migrationStatements(folder, name))
  return missing
}

/** The message with which the database must refuse the statement that `requireDemands` tries. */
export const TRIAL = 'demand:not_found'

/**
 * Tries whether the database refuses a batch with the code of a demand (worker/db/demand.ts); writes nothing.
 * @throws PlainError when the answer lacks the code, because the API could then not say why it refuses an edit
 */
export async function requireDemands(query: Query): Promise<void> {
  const answer = await query(`INSERT INTO demands (refusal) VALUES ('${TRIAL}')`).then(
    () => 'it let the change through',
    (error: unknown) => {
      if (error instanceof ApiError && error.status === 400) return error.message
      throw error
    },
  )
  if (!answer.includes(TRIAL))
    throw new PlainError(
      `The database must refuse a trial change with the code ${TRIAL}, but did not (${answer}). Nothing was uploaded, and the earlier version keeps running: report this.`,
    )
}

/** Whether there is an active admin, who can let others in. */
export async function hasAdmin(query: Query): Promise<boolean> {
  const rows = await query('SELECT 1 FROM users WHERE role = 0 AND active = 1 LIMIT 1')
  return rows.length > 0
}
