/** Writes CSV files for spreadsheets. */

/** The beginnings of formulas; some spreadsheets read full-width signs like the narrow ones. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\0]/

/** What only a quoted cell may hold; some programs cut spaces at the ends of others. */
const TO_QUOTE = /[",\r\n\u{feff}]|^\s|\s$/u

/** Marks the text as UTF-8: without it spreadsheets guess the encoding. */
const BYTE_ORDER_MARK = '\uFEFF'

export type CsvRows = (string | number | null)[][]

function toCell(value: string | number | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return text !== value || TO_QUOTE.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Rows as lines of CSV (RFC 4180). A text that starts like a formula gets a `'` before it; numbers stay numbers. */
export function toCsvLines(rows: CsvRows): string {
  return rows.map((row) => row.map(toCell).join(',') + '\r\n').join('')
}

/** A table as a CSV file. @param rows the header first */
export function toCsv(rows: CsvRows): string {
  return BYTE_ORDER_MARK + toCsvLines(rows)
}
