/** The tables of a backup with their order and columns, read from the backup's file. */
import type { DatabaseSync } from 'node:sqlite'
import * as z from 'zod'

/** Tables whose rows are left out, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  installation: 'what is restored is another installation, with an id of its own',
  sessions: 'everybody signs in again',
  account_links: 'mailed links that were used since must not work again',
  rate_limits: 'they speak of the last minutes',
  logged_mails: 'they hold links',
  notice_mails: 'the mails may have gone out since',
  test_data_uploads: 'an upload under way belongs to the old bucket',
  sample_runs: 'they live an hour',
  hand_backs: 'the hosts of that time',
  orphans: 'marks on objects of the old bucket',
  sweep_positions: 'the sweeper begins anew',
  alarms: 'what went wrong on the old installation',
  vitals: 'what happened last, on the old installation',
}

/** Objects that are left out unless `--outputs` is given, by their name in a manifest's `leftOut`. */
export const OUTPUTS = 'kept outputs'
export const WHY_OUTPUTS = 'they expire; --outputs takes them along'

/** Columns that change even when nobody does anything: judge hosts report every few seconds. */
const VOLATILE = new Map([
  ['runners', ['free', 'load', 'job_seconds', 'host', 'busy_seconds', 'heartbeat_at']],
])

/** Columns that refer to rows of a later table; they are set after that table's rows are stored. */
const LATE: Readonly<Record<string, readonly string[]>> = { users: ['made_in_course_id'] }

export interface Column {
  name: string
  /** Whether changes of the column are ignored. */
  isVolatile: boolean
}

export interface Table {
  name: string
  columns: readonly Column[]
  /** Columns of the primary key, in the key's order. */
  key: readonly string[]
  late: readonly string[]
}

const columnRows = z.array(z.object({ name: z.string(), pk: z.int() }))
const referenceRows = z.array(z.object({ from: z.string(), table: z.string() }))

/** A table of the file. */
export function readTable(file: DatabaseSync, name: string): Table {
  const rows = columnRows.parse(file.prepare('select name, pk from pragma_table_info(?)').all(name))
  const key = rows.filter(({ pk }) => pk > 0).toSorted((left, right) => left.pk - right.pk)
  return {
    name,
    columns: rows.map((row) => ({
      name: row.name,
      isVolatile: VOLATILE.get(name)?.includes(row.name) ?? false,
    })),
    key: key.map((row) => row.name),
    late: LATE[name] ?? [],
  }
}

/** All tables of the product in the file, including those that are left out. */
export function listTables(file: DatabaseSync): string[] {
  const rows = file
    .prepare(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite!_%' escape '!' and name not like '!_cf!_%' escape '!' and name <> 'd1_migrations' order by name",
    )
    .all()
  return z
    .array(z.object({ name: z.string() }))
    .parse(rows)
    .map(({ name }) => name)
}

/**
 * The tables whose rows are kept, each after the tables that it refers to.
 * @throws Error for a cycle of references that `LATE` does not open
 */
export function readTables(file: DatabaseSync): Table[] {
  const waiting = new Map(
    listTables(file)
      .filter((name) => !Object.hasOwn(LEFT_OUT, name))
      .map((name) => [name, readTable(file, name)]),
  )
  const references = file.prepare('select "from", "table" from pragma_foreign_key_list(?)')
  function isReady({ name, late }: Table): boolean {
    return referenceRows
      .parse(references.all(name))
      .every(({ from, table }) => table === name || late.includes(from) || !waiting.has(table))
  }
  const ordered: Table[] = []
  while (waiting.size > 0) {
    const ready = [...waiting.values()].find(isReady)
    if (!ready) throw new Error(`These tables name each other: ${[...waiting.keys()].join(', ')}`)
    waiting.delete(ready.name)
    ordered.push(ready)
  }
  // Programs sign in with tokens, so the rows of tokens come last.
  return ordered.toSorted(
    (left, right) => Number(left.name === 'api_tokens') - Number(right.name === 'api_tokens'),
  )
}
