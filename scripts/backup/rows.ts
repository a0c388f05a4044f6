/**
 * Rows on their way between databases, as JSON: an array of values for each row, blobs in hexadecimal. SQLite makes and
 * reads it, so numbers and texts arrive as they were; one text carries a thousand rows.
 */
import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { Query } from '../deploy/database.ts'
import { writeStaged } from './lock.ts'
import type { Table } from './tables.ts'

/** Rows that are read at once: each may hold a source of 64 KiB. */
const READ_ROWS = 500
/** Characters that are written at once. D1 takes 2 MB in a parameter and in a row. */
const WRITE_CHARS = 500_000

const quoted = (name: string) => `"${name}"`
const rowOf = z.object({ row: z.string() })

/** The statement that reads a page of a table behind a row, in the order of its key. */
function pageStatement({ name, columns, key }: Table, isFirst: boolean): string {
  const values = columns.map(({ name: column, isBlob }) =>
    isBlob ? `iif(${quoted(column)} is null, null, hex(${quoted(column)}))` : quoted(column),
  )
  const keys = key.map(quoted).join(', ')
  const places = key.map((_, index) => `json_extract(?1, '$[${index}]')`).join(', ')
  const behind = isFirst ? '' : `where (${keys}) > (${places})`
  return `select json_array(${values.join(', ')}) as row from ${quoted(name)} ${behind} order by ${keys} limit ${READ_ROWS}`
}

/** The rows of a table as JSON, page by page. */
export async function* readRows(query: Query, table: Table): AsyncGenerator<string[]> {
  const places = table.key.map((column) => table.columns.findIndex(({ name }) => name === column))
  let last: string | undefined
  for (;;) {
    const statement = pageStatement(table, last === undefined)
    const found = await query(statement, last === undefined ? [] : [last])
    const rows = found.map((row) => rowOf.parse(row).row)
    if (rows.length > 0) yield rows
    if (rows.length < READ_ROWS) return
    const values = z.array(z.unknown()).parse(JSON.parse(rows.at(-1) ?? ''))
    last = JSON.stringify(places.map((place) => values[place]))
  }
}

/** How many rows a table has, and the SHA-256 of all. */
interface Fingerprint {
  rows: number
  sha256: string
}

/** The same for equal rows in any database. */
export async function fingerprintOf(query: Query, table: Table): Promise<Fingerprint> {
  const hash = createHash('sha256')
  let rows = 0
  for await (const page of readRows(query, table)) {
    for (const row of page) hash.update(row).update('\n')
    rows += page.length
  }
  return { rows, sha256: hash.digest('hex') }
}

/** Pieces of rows, each as long as one parameter may be, or of a single row. */
function* piecesOf(rows: readonly string[]): Generator<string> {
  let piece: string[] = []
  let chars = 0
  for (const row of rows) {
    if (piece.length > 0 && chars + row.length > WRITE_CHARS) {
      yield `[${piece.join(',')}]`
      piece = []
      chars = 0
    }
    piece.push(row)
    chars += row.length
  }
  if (piece.length > 0) yield `[${piece.join(',')}]`
}

function valueAt({ columns }: Table, index: number): string {
  const value = `value ->> '$[${index}]'`
  return columns[index]?.isBlob ? `unhex(${value})` : value
}

/** Writes rows into a table, without its late columns. */
export async function writeRows(
  query: Query,
  table: Table,
  rows: readonly string[],
): Promise<void> {
  const { name, columns, late } = table
  const names = columns.map((column) => quoted(column.name)).join(', ')
  const values = columns.map((column, index) =>
    late.includes(column.name) ? 'null' : valueAt(table, index),
  )
  const into = `insert into ${quoted(name)} (${names}) select ${values.join(', ')} from json_each`
  for (const piece of piecesOf(rows)) await writeStaged(query, piece, (text) => `${into}(${text})`)
}

/** Fills the late columns of rows that are there. */
export async function writeLate(
  query: Query,
  table: Table,
  rows: readonly string[],
): Promise<void> {
  const { name, columns, key, late } = table
  const at = (column: string) =>
    valueAt(
      table,
      columns.findIndex((one) => one.name === column),
    )
  for (const column of late) {
    const isRow = key.map((part) => `${quoted(name)}.${quoted(part)} = ${at(part)}`).join(' and ')
    const setting = `update ${quoted(name)} set ${quoted(column)} = ${at(column)}`
    const condition = `where ${isRow} and ${at(column)} is not null`
    for (const piece of piecesOf(rows))
      await writeStaged(query, piece, (text) => `${setting} from json_each(${text}) ${condition}`)
  }
}
