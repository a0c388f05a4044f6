/** CSV files for spreadsheets. Loaded on demand: the library comes with it. */
import Papa from 'papaparse'

/** The beginnings of formulas; some spreadsheets read full-width signs like the narrow ones. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\0]/

/** Marks the text as UTF-8: without it spreadsheets guess the encoding. */
const BYTE_ORDER_MARK = '\uFEFF'

/**
 * A table as CSV (RFC 4180). A text that starts like a formula gets a `'` before it; numbers stay numbers.
 * @param rows the header first
 */
export function toCsv(rows: (string | number | null)[][]): string {
  return BYTE_ORDER_MARK + Papa.unparse(rows, { newline: '\r\n', escapeFormulae: FORMULA }) + '\r\n'
}
