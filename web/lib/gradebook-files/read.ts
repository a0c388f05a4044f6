/** Reads marks out of a file, for columns of the gradebook. */
import { GRADEBOOK_LIMITS } from '#contract/limits'
import { isBlank, isExcusedText, readHundredths, type NumberFault } from './cell-numbers.ts'
import type { FillChoices, HereMark, MarkedPerson } from './fill.ts'
import type { GradebookFile } from './open.ts'
import { matchPeople, type MatchedPeople } from './people.ts'
import type { Recognised } from './systems.ts'

/** A mark of the gradebook that the file changes. `hundredths` null: excused. */
export interface FileEdit {
  row: number
  column: number
  person: MarkedPerson
  columnId: number
  head: string
  before: HereMark | undefined
  hundredths: number | null
}

/** A cell that cannot be read. `number`: no number from 0 to the limit; `decimals`: more than two; `twice`: another row or column has the same mark. */
export interface MarkFault {
  row: number
  head: string
  value: string
  kind: NumberFault | 'twice'
}

/** What reading a file does; empty cells change nothing. */
export interface ReadReport extends MatchedPeople<MarkedPerson> {
  edits: FileEdit[]
  same: number
  faults: MarkFault[]
}

/** Reads a mark; null: excused. */
function readMark(value: string): number | NumberFault | null {
  if (isExcusedText(value)) return null
  const hundredths = readHundredths(value)
  if (typeof hundredths === 'string') return hundredths
  return hundredths >= 0 && hundredths <= GRADEBOOK_LIMITS.points * 100 ? hundredths : 'number'
}

function isSame(before: HereMark | undefined, hundredths: number | null): boolean {
  if (hundredths === null) return before?.isExcused ?? false
  return before?.hundredths === hundredths && !before.isExcused
}

/** What a file changes in a gradebook. Nothing is sent. */
export function readMarks(
  { table }: GradebookFile,
  recognised: Recognised,
  people: readonly MarkedPerson[],
  { pairs, rows: chosen }: Pick<FillChoices, 'pairs' | 'rows'>,
): ReadReport {
  const matched = matchPeople(table, recognised, people, chosen)
  const report: ReadReport = { ...matched, edits: [], same: 0, faults: [] }
  const seen = new Map<MarkedPerson, Set<number>>()
  for (const [row, person] of matched.byRow) {
    const read = seen.get(person) ?? new Set()
    seen.set(person, read)
    for (const { column, head } of recognised.marks) {
      const columnId = pairs.get(column)
      const value = table.rows[row]?.[column]?.value.trim() ?? ''
      if (columnId === undefined || isBlank(value)) continue
      const mark = read.has(columnId) ? 'twice' : readMark(value)
      read.add(columnId)
      const before = person.marks.get(columnId)
      if (typeof mark === 'string') report.faults.push({ row, head, value, kind: mark })
      else if (isSame(before, mark)) report.same += 1
      else report.edits.push({ row, column, person, columnId, head, before, hundredths: mark })
    }
  }
  return report
}
