/** CSV parsing (RFC 4180) by papaparse. */
import Papa from 'papaparse'

/**
 * `unreadable_row`: a quoted cell never ends or holds a quote that is not doubled; `field_count`: more or fewer
 * cells than the header has.
 */
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

/**
 * Where the first broken cell begins; -1 without one. A quoted cell is broken if it never ends or holds a quote that is not doubled.
 * The parser would guess where such a cell ends, and read the whole cell for each quote in it.
 * @param text its line breaks are `\n`
 */
function findBrokenCell(text: string): number {
  const opening = /(?<=^|[,\n])"/g
  const ending = /[^\S\n]*[,\n]|$/y
  for (let open = opening.exec(text); open; open = opening.exec(text)) {
    let close = text.indexOf('"', open.index + 1)
    while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2)
    ending.lastIndex = close + 1
    if (close === -1 || !ending.test(text)) return open.index
    opening.lastIndex = ending.lastIndex
  }
  return -1
}

/**
 * Parses CSV text with a header row. Takes a BOM, CRLF and quotes; skips blank lines. Reads up to the first row that is not CSV,
 * because nobody knows where the next row begins. If the header is not CSV, there are no columns.
 */
export function parseCsv(text: string): CsvTable {
  const plain = text.replace(/^\u{feff}+/u, '').replace(/\r\n?/g, '\n')
  const broken = findBrokenCell(plain)
  const readable = broken === -1 ? plain : plain.slice(0, broken)
  const { data } = Papa.parse<string[]>(readable, { delimiter: ',', newline: '\n' })
  const lines = startLines(data)
  const faults: CsvFault[] = []
  if (broken !== -1) {
    data.pop()
    faults.push({ line: lines[data.length] ?? 1, code: 'unreadable_row' })
  }
  const [first = [], ...records] = data
  const header = first.map((name) => name.trim())
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
    line += 1 + cells.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0)
    return start
  })
}
