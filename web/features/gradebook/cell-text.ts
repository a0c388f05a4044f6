/** Marks as people type, copy and paste them. */
import { GRADEBOOK_LIMITS } from '#contract/limits'
import { EXCUSED_TEXT, type GradebookCell, type MarkEdits } from '#contract/gradebook'
import {
  isExcusedText,
  readHundredths,
  type NumberFault,
} from '../../lib/gradebook-files/cell-numbers.ts'

/** What staff set in a cell: points, an excuse, or nothing. */
export type Setting = Pick<MarkEdits['edits'][number], 'points' | 'excused'>

/** Why a text is no mark; names a text of `gradebook.grid.fault`. */
export type CellFault = NumberFault | 'negative' | 'tooMuch'

/** Reads a mark as it was typed: with a decimal point or comma; `EX` excuses, nothing clears. */
export function parseCell(typed: string): Setting | CellFault {
  if (typed.trim() === '') return { points: null, excused: false }
  if (isExcusedText(typed)) return { points: null, excused: true }
  const hundredths = readHundredths(typed)
  if (typeof hundredths === 'string') return hundredths
  const points = hundredths / 100
  if (points < 0) return 'negative'
  return points > GRADEBOOK_LIMITS.points ? 'tooMuch' : { points, excused: false }
}

/** A cell as it is shown, edited and copied. */
export function cellText([points, states]: GradebookCell): string {
  if (states.includes('e')) return EXCUSED_TEXT
  return points === null ? '' : String(points)
}

/** The rows of a block that was copied from a spreadsheet. A quoted cell may hold tabs and line breaks. */
export function parseBlock(text: string): string[][] {
  const rows: string[][] = [[]]
  const ended = text.replace(/\r?\n$/, '')
  for (const [, quoted, plain = '', end] of ended.matchAll(
    /(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r?\n|$)/g,
  )) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === '') break
    if (end !== '\t') rows.push([])
  }
  return rows
}

/** A block as spreadsheets take it. */
export function blockText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.join('\t')).join('\n')
}
