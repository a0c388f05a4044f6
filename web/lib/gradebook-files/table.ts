/** A text of comma-separated values as cells that know where they stand, so that single ones can be replaced and all else stays. */

const DELIMITERS = [',', ';', '\t'] as const
export type Delimiter = (typeof DELIMITERS)[number]

/** A cell from `start` to before `end` of the text, its quotation marks among them. `value`: what it says. */
export interface RawCell {
  start: number
  end: number
  value: string
}

/** `rows`: of all lines, the head among them; an empty line is a row of one empty cell. */
export interface RawTable {
  text: string
  delimiter: Delimiter
  rows: RawCell[][]
}

/** The quotation mark at `at` opens a cell that nothing closes. */
export interface UnclosedQuote {
  unclosedRow: number
}

/** Where a quoted cell that begins at `start` ends: after its closing mark; -1 without one. */
function endOfQuoted(text: string, start: number): number {
  let at = text.indexOf('"', start + 1)
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2)
  return at === -1 ? -1 : at + 1
}

/** Where the cell's text ends: before the next delimiter or line end. */
function endOfPlain(text: string, from: number, delimiter: Delimiter): number {
  let at = from
  while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r')
    at += 1
  return at
}

/** The cell that begins at `start`; null if its quotation mark is never closed. */
function cellAt(text: string, start: number, delimiter: Delimiter): RawCell | null {
  const closed = text[start] === '"' ? endOfQuoted(text, start) : start
  if (closed === -1) return null
  const end = endOfPlain(text, closed, delimiter)
  const quoted = text.slice(start + 1, Math.max(start + 1, closed - 1)).replaceAll('""', '"')
  const value = closed === start ? text.slice(start, end) : quoted + text.slice(closed, end)
  return { start, end, value }
}

/** Splits the text from `start` on. @param most how many rows are read */
function splitRows(
  text: string,
  start: number,
  delimiter: Delimiter,
  most = Number.POSITIVE_INFINITY,
): RawCell[][] | UnclosedQuote {
  const rows: RawCell[][] = []
  let row: RawCell[] = []
  let at = start
  while (at <= text.length && rows.length < most) {
    const cell = cellAt(text, at, delimiter)
    if (cell === null) return { unclosedRow: rows.length + 1 }
    row.push(cell)
    at = cell.end + 1
    if (text[cell.end] === delimiter) continue
    rows.push(row)
    row = []
    if (text[cell.end] === '\r' && text[at] === '\n') at += 1
    // A line end at the end of the text begins no row.
    if (at >= text.length) break
  }
  return rows
}

/** The delimiter that divides the head into most cells. */
function delimiterOf(text: string, start: number): Delimiter {
  const cellsOf = (delimiter: Delimiter) => {
    const rows = splitRows(text, start, delimiter, 1)
    return 'unclosedRow' in rows ? 0 : (rows[0]?.length ?? 0)
  }
  return DELIMITERS.reduce((best, each) => (cellsOf(each) > cellsOf(best) ? each : best))
}

/** Splits a text into its cells. A byte order mark at its beginning belongs to no cell. */
export function splitTable(text: string): RawTable | UnclosedQuote {
  const start = text.startsWith('\u{feff}') ? 1 : 0
  const delimiter = delimiterOf(text, start)
  const rows = splitRows(text, start, delimiter)
  return 'unclosedRow' in rows ? rows : { text, delimiter, rows }
}

/** A cell's new value. */
export interface NewValue {
  row: number
  column: number
  value: string
}

/** The value as it stands in the file: quoted if the old cell was, or if it must be. */
function rawValue({ text, delimiter }: RawTable, cell: RawCell | undefined, value: string) {
  const isQuoted = (cell !== undefined && text[cell.start] === '"') || value.includes(delimiter)
  return isQuoted ? `"${value}"` : value
}

/**
 * The text with new values in some cells; all else stays as it is. A row that is too short gets the cells that it lacks.
 * @param values at most one for each cell; numbers or words without quotation marks
 */
export function replaceCells(table: RawTable, values: readonly NewValue[]): string {
  const { text, delimiter, rows } = table
  const inOrder = values.toSorted((a, b) => a.row - b.row || a.column - b.column)
  const pieces: string[] = []
  let done = 0
  let last = { row: -1, column: -1 }
  for (const { row, column, value } of inOrder) {
    const cells = rows[row] ?? []
    const cell = cells[column]
    const end = cells.at(-1)?.end ?? text.length
    pieces.push(text.slice(done, cell?.start ?? end))
    if (cell === undefined) {
      const before = last.row === row ? Math.max(last.column, cells.length - 1) : cells.length - 1
      pieces.push(delimiter.repeat(column - before))
    }
    pieces.push(rawValue(table, cell, value))
    done = cell?.end ?? end
    last = { row, column }
  }
  return pieces.join('') + text.slice(done)
}
