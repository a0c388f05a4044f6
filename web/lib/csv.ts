/** CSV files for spreadsheets. Loaded on demand: the library comes with it. */
import Papa from 'papaparse'

/** What a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r\0]/

/** Marks the text as UTF-8: without it spreadsheets read the bytes in an encoding of their own. */
const BYTE_ORDER_MARK = '\uFEFF'

/**
 * A table as RFC 4180 has it. A text that begins like a formula gets a `'` before it; numbers stay numbers.
 * @param rows the header first
 */
export function toCsv(rows: (string | number | null)[][]): string {
  return BYTE_ORDER_MARK + Papa.unparse(rows, { newline: '\r\n', escapeFormulae: FORMULA }) + '\r\n'
}
