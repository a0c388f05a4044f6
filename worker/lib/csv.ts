/** CSV parsing (RFC 4180) by papaparse. */
import Papa from 'papaparse'

/** `unreadable_row`: e.g. a quote that never ends; `field_count`: more or fewer cells than the header has. */
interface CsvFault {
  line: number
  code: 'unreadable_row' | 'field_count'
  params?: { found: number; wanted: number }
}

/** A parsed table: column names, and rows with the line each starts on (the header is line 1). */
interface CsvTable {
  header: string[]
  rows: { line: number; cells: Record<string, string> }[]
  /** Faults of the text itself. */
  faults: CsvFault[]
}

/**
 * Whether a text has more cells than `most`, without parsing it. Every comma and line break counts, quoted
 * ones too.
 */
export function hasMoreCells(text: string, most: number): boolean {
  let cells = 0
  for (const mark of [',', '\n', '\r'])
    for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) {
      cells += 1
      if (cells > most) return true
    }
  return false
}

/** Parses CSV text with a header row. Takes a BOM, CRLF and quotes; skips blank lines. */
export function parseCsv(text: string): CsvTable {
  const parsed = Papa.parse<string[]>(text.replace(/^\u{feff}/u, ''), { delimiter: ',' })
  const [first = [], ...records] = parsed.data
  const header = first.map((name) => name.trim())
  const lines = startLines(parsed.data)
  const faults = parsed.errors.map((error): CsvFault => ({
    line: lines[error.row ?? 0] ?? 1,
    code: 'unreadable_row',
  }))
  const rows = records.flatMap((cells, index) => {
    if (cells.every((cell) => cell.trim() === '')) return []
    const line = lines[index + 1] ?? 1
    if (cells.length !== header.length) {
      faults.push({
        line,
        code: 'field_count',
        params: { found: cells.length, wanted: header.length },
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

/** The line on which each record starts. A quoted cell may hold line breaks. */
function startLines(records: string[][]): number[] {
  let line = 1
  return records.map((cells) => {
    const start = line
    line += 1 + cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0)
    return start
  })
}
