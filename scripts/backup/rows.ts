/**
 * Rows on their way between databases, as JSON: an array of values for each row. Texts and blobs are written as a letter and
 * hexadecimal digits, because JSON and the API change invalid UTF-8, and D1's export changes backslashes. SQLite makes and reads it.
 */
import { createHash } from 'node:crypto'
import type { Database, Query, Statement } from '../deploy/database.ts'
import type { Table } from './tables.ts'

/** The most rows that are read at once. */
const READ_ROWS = 5_000
/** The rough size of a page's values. D1's answers may have 50 MB. */
const READ_BYTES = 4_000_000
/** Characters that are written at once. D1 takes parameters of up to 2 MB. */
const WRITE_CHARS = 500_000
/** Bytes of a value that travel with its row. The rest of a longer value comes in slices, because a row must fit into a parameter. */
const SLICE_BYTES = 120_000
/** A value of which a row holds so many characters may have more bytes. They are two quotes, a letter, and two digits for each byte. */
const FULL_CHARS = 2 * SLICE_BYTES + 3

const quoted = (name: string) => `"${name}"`

/** Joins parts by an operator as a balanced tree: D1 accepts neither deep expressions nor functions with many arguments. */
function joined(parts: readonly string[], operator: string): string {
  if (parts.length <= 1) return parts[0] ?? "''"
  const half = parts.length >> 1
  const [left, right] = [parts.slice(0, half), parts.slice(half)]
  return `(${joined(left, operator)} ${operator} ${joined(right, operator)})`
}

/** A slice of a value's bytes in hexadecimal. */
const sliceOf = (column: string, from: number) =>
  `hex(substr(cast(${column} as blob), ${from + 1}, ${SLICE_BYTES}))`

/** A value as JSON. */
function encoded(column: string): string {
  const bytes = sliceOf(column, 0)
  return `(case typeof(${column}) when 'null' then 'null' when 'text' then '"t' || ${bytes} || '"' when 'blob' then '"b' || ${bytes} || '"' else quote(${column}) end)`
}

/** The value at a position in a row. */
function decoded(row: string, place: number): string {
  const value = `(${row} ->> '$[${place}]')`
  const bytes = `unhex(substr(${value}, 2))`
  return `(case substr(${value}, 1, 1) when 't' then cast(${bytes} as text) when 'b' then ${bytes} else ${value} end)`
}

/** The condition that a key is after, equal to or before the key of a row, which is a parameter. */
function beside(table: Table, operator: string, parameter: string): string {
  const places = table.key.map((_, place) => decoded(parameter, place))
  return `(${table.key.map(quoted).join(', ')}) ${operator} (${places.join(', ')})`
}

/** The statement that reads a table's next page after a key, in the order of the keys. */
function pageStatement(table: Table, isFirst: boolean): string {
  const { name, columns, key } = table
  const [from, keys] = [quoted(name), key.map(quoted).join(', ')]
  const bytes = columns.map((column) => `coalesce(octet_length(${quoted(column.name)}), 0)`)
  const row = joined(
    columns.map((column) => encoded(`${from}.${quoted(column.name)}`)),
    `|| ',' ||`,
  )
  const behind = isFirst ? '' : `where ${beside(table, '>', '?1')}`
  const found = `select ${keys}, ${joined(bytes, '+')} as bytes from ${from} ${behind} order by ${keys} limit ${READ_ROWS}`
  const summed = `select ${keys}, sum(bytes) over (order by ${keys} rows unbounded preceding) - bytes as before, count(*) over () as found from (${found})`
  const on = key.map((column) => `${from}.${quoted(column)} = page.${quoted(column)}`)
  const order = key.map((column) => `page.${quoted(column)}`)
  return `select '[' || ${row} || ']' as row, page.found as found from (select * from (${summed}) where before < ${READ_BYTES}) as page
    cross join ${from} on ${on.join(' and ')} order by ${order.join(', ')}`
}

/** The values of a row, each as in the row's JSON. No value contains a comma. */
export const valuesOf = (row: string) => row.slice(1, -1).split(',')

/** The key of a row, as JSON. */
function keyOf({ columns, key }: Table, row: string): string {
  const values = valuesOf(row)
  return `[${key.map((part) => values[columns.findIndex(({ name }) => name === part)]).join(',')}]`
}

/** A row, completed by the other slices of its long values. */
async function completed(query: Query, table: Table, row: string): Promise<string> {
  if (row.length < FULL_CHARS) return row
  const values = valuesOf(row)
  for (const [place, value] of values.entries()) {
    if (value.length < FULL_CHARS) continue
    const column = quoted(table.columns[place]?.name ?? '')
    let whole = value.slice(0, -1)
    for (let from = SLICE_BYTES, isFull = true; isFull; from += SLICE_BYTES) {
      const statement = `select ${sliceOf(column, from)} as slice from ${quoted(table.name)} where ${beside(table, '=', '?1')}`
      const [found] = await query(statement, [keyOf(table, row)])
      const slice = String(found?.['slice'] ?? '')
      whole += slice
      isFull = slice.length === 2 * SLICE_BYTES
    }
    values[place] = `${whole}"`
  }
  return `[${values.join(',')}]`
}

/** The rows of a table in the order of their keys, page by page; the last page may be empty. */
export async function* readPages(query: Query, table: Table): AsyncGenerator<string[]> {
  let after: string | null = null
  for (;;) {
    const found = await query(pageStatement(table, after === null), after === null ? [] : [after])
    const rows: string[] = []
    for (const { row } of found) rows.push(await completed(query, table, String(row)))
    yield rows
    const count = Number(found[0]?.['found'] ?? 0)
    if (count < READ_ROWS && rows.length === count) return
    after = keyOf(table, rows.at(-1) ?? '[]')
  }
}

/** How many rows a table has, and the SHA-256 of all rows. */
interface Fingerprint {
  rows: number
  sha256: string
}

/** The fingerprint of a table. It is the same for equal rows in any database. */
export async function fingerprintOf(query: Query, table: Table): Promise<Fingerprint> {
  const hash = createHash('sha256')
  let rows = 0
  for await (const page of readPages(query, table)) {
    for (const row of page) hash.update(row).update('\n')
    rows += page.length
  }
  return { rows, sha256: hash.digest('hex') }
}

/** A row with only the first slice of its long values, and the statements that add the other slices. */
function cutRow(table: Table, row: string): { row: string; slices: Statement[] } {
  if (row.length <= FULL_CHARS) return { row, slices: [] }
  const slices: Statement[] = []
  const values = valuesOf(row).map((value, place) => {
    const column = quoted(table.columns[place]?.name ?? '')
    const type = value.startsWith('"t') ? 'text' : 'blob'
    for (let at = FULL_CHARS - 1; at < value.length - 1; at += 2 * SLICE_BYTES)
      slices.push({
        sql: `update ${quoted(table.name)} set ${column} = cast(cast(${column} as blob) || unhex(?2) as ${type}) where ${beside(table, '=', '?1')}`,
        params: [
          keyOf(table, row),
          value.slice(at, Math.min(at + 2 * SLICE_BYTES, value.length - 1)),
        ],
      })
    return value.length > FULL_CHARS ? `${value.slice(0, FULL_CHARS - 1)}"` : value
  })
  return { row: `[${values.join(',')}]`, slices }
}

/** Rows in pieces, each as long as one parameter may be; a longer row is a piece of its own. */
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

/** The statements that write rows into a table, without its late columns (`LATE` in tables.ts). */
export function insertStatements(table: Table, rows: readonly string[]): Statement[] {
  const { name, columns, late } = table
  const names = columns.map((column) => quoted(column.name)).join(', ')
  const values = columns.map((column, place) =>
    late.includes(column.name) ? 'null' : decoded('value', place),
  )
  const sql = `insert into ${quoted(name)} (${names}) select ${values.join(', ')} from json_each(?1)`
  const cut = rows.map((row) => cutRow(table, row))
  return [
    ...[...piecesOf(cut.map(({ row }) => row))].map((piece) => ({ sql, params: [piece] })),
    ...cut.flatMap(({ slices }) => slices),
  ]
}

/** The statements that set the late columns of rows that are already stored. */
export function lateStatements(table: Table, rows: readonly string[]): Statement[] {
  const { name, columns, key, late } = table
  const at = (column: string) =>
    decoded(
      'value',
      columns.findIndex((one) => one.name === column),
    )
  const isRow = key.map((part) => `${quoted(name)}.${quoted(part)} = ${at(part)}`).join(' and ')
  return late.flatMap((column) => {
    const setting = `update ${quoted(name)} set ${quoted(column)} = ${at(column)}`
    const sql = `${setting} from json_each(?1) where ${isRow} and ${at(column)} is not null`
    const cut = rows.map((row) => cutRow(table, row).row)
    return [...piecesOf(cut)].map((piece) => ({ sql, params: [piece] }))
  })
}

/** Copies a table's rows into another database; returns a hash of them, without volatile values. */
export async function copyTable(query: Query, to: Database, table: Table): Promise<string> {
  const hash = createHash('sha256')
  await to.batch([{ sql: `delete from ${quoted(table.name)}` }])
  for await (const rows of readPages(query, table)) {
    for (const row of rows) hash.update(withoutVolatile(table, row)).update('\n')
    await to.batch(insertStatements({ ...table, late: [] }, rows))
  }
  return hash.digest('hex')
}

/** A row without its volatile values. */
function withoutVolatile({ columns }: Table, row: string): string {
  if (!columns.some(({ isVolatile }) => isVolatile)) return row
  const values = valuesOf(row)
  return values.filter((_, place) => !columns[place]?.isVolatile).join(',')
}
