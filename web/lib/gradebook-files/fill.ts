/** Fills a file of another system with the marks of a gradebook. */
import { EXCUSED_TEXT, type GradebookColumn } from '#contract/gradebook'
import {
  decimalSignOf,
  isBlank,
  isExcusedText,
  readHundredths,
  writeHundredths,
} from './cell-numbers.ts'
import type { ColumnPairs } from './columns.ts'
import type { GradebookFile } from './open.ts'
import { matchPeople, type GradebookPerson, type MatchedPeople } from './people.ts'
import type { MarkColumn, Recognised } from './systems.ts'
import type { NewValue } from './table.ts'

/** A mark in a cell of the gradebook. `hundredths` null: none. `isHeld`: its student does not see it. */
export interface HereMark {
  hundredths: number | null
  isExcused: boolean
  isHeld: boolean
}

/** A student with the marks of all columns, by the column's id. */
export interface MarkedPerson extends GradebookPerson {
  marks: ReadonlyMap<number, HereMark>
}

/** What staff chose. `rows`: the username of each row that was not sure. `scaled`: columns of the file whose marks are scaled to its maximum. */
export interface FillChoices {
  pairs: ColumnPairs
  rows: ReadonlyMap<number, string | null>
  scaled: ReadonlySet<number>
  isEmptyZero: boolean
}

/** A cell that changes. */
export interface CellChange extends NewValue {
  person: MarkedPerson
  head: string
  before: string
}

/**
 * What filling does. `same`: cells that hold the mark already. `excused`: cells that stay, because the system has no word for "excused".
 * `held`: marks among those in the file that students do not see here. `overMax`: marks above the maximum of their column, which Brightspace cuts.
 * `lostGrades`: cells with feedback but without a grade, which Moodle's import would wipe.
 */
export interface FillReport extends MatchedPeople<MarkedPerson> {
  changes: CellChange[]
  same: number
  excused: number
  held: number
  overMax: number
  lostGrades: number
}

/** A column of the file with the one that fills it. `max`: of the file, if it names one, in hundredths. */
interface Pair extends MarkColumn {
  ours: GradebookColumn
  scale: { from: number; to: number } | null
}

const maxHundredths = ({ max }: GradebookColumn) => Math.round(max * 100)

/** Whether the file has another maximum for a column. */
export function hasOtherMax({ max }: MarkColumn, ours: GradebookColumn): boolean {
  return max !== null && maxHundredths(ours) > 0 && max !== maxHundredths(ours)
}

function pairsOf(
  marks: readonly MarkColumn[],
  columns: readonly GradebookColumn[],
  { pairs, scaled }: FillChoices,
): Pair[] {
  return marks.flatMap((mark) => {
    const ours = columns.find(({ id }) => id === pairs.get(mark.column))
    if (ours === undefined) return []
    const isScaled = scaled.has(mark.column) && hasOtherMax(mark, ours)
    const scale = isScaled ? { from: maxHundredths(ours), to: mark.max ?? 0 } : null
    return { ...mark, ours, scale }
  })
}

/** What a cell shall hold; null: as it is. */
type Wanted = { hundredths: number } | typeof EXCUSED_TEXT | null

function wantedOf(
  mark: HereMark | undefined,
  { scale }: Pair,
  { isCanvas, isZero }: { isCanvas: boolean; isZero: boolean },
): Wanted {
  if (mark?.isExcused) return isCanvas ? EXCUSED_TEXT : null
  const hundredths = mark?.hundredths ?? null
  if (hundredths === null) return isZero ? { hundredths: 0 } : null
  if (scale === null) return { hundredths }
  return { hundredths: Math.round((hundredths * scale.to) / scale.from) }
}

function isSame(before: string, wanted: Exclude<Wanted, null>): boolean {
  if (wanted === EXCUSED_TEXT) return isExcusedText(before)
  return readHundredths(before) === wanted.hundredths
}

/** Cells with feedback whose grade is, or stays, empty. */
function countLostGrades(
  { table: { rows } }: GradebookFile,
  { feedback, isPerson, marks }: Recognised,
  changes: readonly CellChange[],
): number {
  if (feedback.length === 0) return 0
  const filled = new Set(changes.map(({ row, column }) => `${row} ${column}`))
  let lost = 0
  for (const { column, title } of feedback) {
    const grade = marks.find((mark) => mark.title === title)?.column ?? -1
    for (const [row, cells] of rows.entries())
      if (isPerson(row) && !isBlank(cells[column]?.value ?? '')) {
        const isGraded = filled.has(`${row} ${grade}`) || !isBlank(cells[grade]?.value ?? '')
        if (!isGraded) lost += 1
      }
  }
  return lost
}

/** What changes in a file by the marks of a gradebook. `withValues(file, changes)` writes it. */
export function fillGradebook(
  file: GradebookFile,
  recognised: Recognised,
  people: readonly MarkedPerson[],
  columns: readonly GradebookColumn[],
  choices: FillChoices,
): FillReport {
  const { rows } = file.table
  const { system, marks } = recognised
  const matched = matchPeople(file.table, recognised, people, choices.rows)
  const pairs = pairsOf(marks, columns, choices)
  const sign = decimalSignOf(
    rows.flatMap((cells) => marks.map((m) => cells[m.column]?.value ?? '')),
  )
  const counts = { same: 0, excused: 0, held: 0, overMax: 0 }
  const changes: CellChange[] = []
  for (const [row, person] of matched.byRow)
    for (const pair of pairs) {
      const { column, head } = pair
      const before = rows[row]?.[column]?.value ?? ''
      const mark = person.marks.get(pair.ours.id)
      const isZero = choices.isEmptyZero && isBlank(before)
      const wanted = wantedOf(mark, pair, { isCanvas: system === 'canvas', isZero })
      if (mark?.isExcused && wanted === null) counts.excused += 1
      if (wanted === null) continue
      const most = pair.max ?? maxHundredths(pair.ours)
      if (mark?.isHeld) counts.held += 1
      if (wanted !== EXCUSED_TEXT && wanted.hundredths > most) counts.overMax += 1
      if (isSame(before, wanted)) counts.same += 1
      else {
        const value = wanted === EXCUSED_TEXT ? wanted : writeHundredths(wanted.hundredths, sign)
        changes.push({ row, column, value, person, head, before })
      }
    }
  const lostGrades = countLostGrades(file, recognised, changes)
  return { ...matched, ...counts, changes, lostGrades }
}
