/** Opens a file: its text, and its cells. */
import { decodeGradebook, encodeGradebook, type DecodedFile, type DecodeRefusal } from './decode.ts'
import { replaceCells, splitTable, type NewValue, type RawTable } from './table.ts'

/** A file that was opened. */
export interface GradebookFile extends Pick<DecodedFile, 'encoding'> {
  table: RawTable
}

/** Why a file was not opened. `unclosed`: the quotation mark of a cell in this row, from 1. */
export type OpenRefusal = { why: DecodeRefusal | 'noTable' } | { why: 'unclosed'; row: number }

/** Opens a file by its bytes. */
export function openGradebook(bytes: Uint8Array): GradebookFile | OpenRefusal {
  const decoded = decodeGradebook(bytes)
  if (typeof decoded === 'string') return { why: decoded }
  const table = splitTable(decoded.text)
  if ('unclosedRow' in table) return { why: 'unclosed', row: table.unclosedRow }
  const isTable = table.rows.length > 1 && table.rows.some((cells) => cells.length > 1)
  return isTable ? { encoding: decoded.encoding, table } : { why: 'noTable' }
}

/** The bytes of the file with new values in some cells; every other byte is as it was. */
export function withValues(file: GradebookFile, values: readonly NewValue[]) {
  return encodeGradebook({ encoding: file.encoding, text: replaceCells(file.table, values) })
}
