/** CSV in (RFC 4180), through papaparse. */
import Papa from 'papaparse'

/** A parsed table: header names, and rows with the line they start on (the header is line 1). */
export interface CsvTable {
  header: string[]
  rows: { line: number; cells: Record<string, string> }[]
  /** Faults of the text itself, such as a quote that never ends. */
  faults: { line: number; message: string }[]
}

/** Parses CSV text with a header row; takes a BOM, CRLF and quoting; blank lines are skipped. */
export function parseCsv(text: string): CsvTable {
  const parsed = Papa.parse<string[]>(text.replace(/^\u{feff}/u, ''), { delimiter: ',' })
  const [first = [], ...records] = parsed.data
  const header = first.map((name) => name.trim())
  const faults = parsed.errors.map((error) => ({
    line: (error.row ?? 0) + 1,
    message: error.message,
  }))
  const rows = records.flatMap((cells, index) => {
    if (cells.every((cell) => cell.trim() === '')) return []
    const line = index + 2
    if (cells.length !== header.length) {
      faults.push({
        line,
        message: `This row has ${cells.length} fields, the header has ${header.length}.`,
      })
      return []
    }
    return [
      {
        line,
        cells: Object.fromEntries(header.map((name, column) => [name, cells[column] ?? ''])),
      },
    ]
  })
  return { header, rows, faults }
}
