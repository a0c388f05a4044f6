/** The scoreboard of a homework as rows. */
import type { UserInfo } from '#contract/fields'
import { sumOfPoints } from '#contract/homework-dates'
import type { GivenPoints } from '#contract/homework-overrides'
import type { Homework, ProblemProgress } from '#contract/homeworks'
import { TOTAL_SCORE } from '#contract/limits'
import type { ScoreboardRow } from '#contract/problems/stats'

/**
 * A student's result on a problem. `mark` null: nothing judged counts; `late` null: nothing submitted late. `by`: why the mark is what
 * it is.
 */
export interface BoardCell {
  mark: number | null
  /** What the problem is worth. */
  points: number
  tries: number
  late: number | null
  by: MarkBy | null
  given: GivenPoints | null
  /** The submission that counts, and the one with the best late score. */
  countedId: string | null
  lateId: string | null
}

/** A submission in time or a late one counts; a mark from before a change of dates is kept; staff gave the points. */
export const MARKS_BY = ['inTime', 'late', 'kept', 'given'] as const
type MarkBy = (typeof MARKS_BY)[number]

export const EMPTY_CELL: BoardCell = {
  mark: null,
  points: TOTAL_SCORE,
  tries: 0,
  late: null,
  by: null,
  given: null,
  countedId: null,
  lateId: null,
}

export interface BoardRow {
  user: UserInfo
  /** One cell for each problem, in the homework's order. */
  cells: BoardCell[]
  /** Null for an excused student. */
  sum: number | null
  average: number | null
  isExcused: boolean
  /** Points for the homework as a whole, which are part of the sum. */
  given: GivenPoints | null
}

type CellState = 'full' | 'partial' | 'zero' | 'none'

/** The state of a cell, which chooses its icon. */
export function stateOf({ mark, points }: BoardCell): CellState {
  if (mark === null) return 'none'
  if (mark >= points) return 'full'
  return mark > 0 ? 'partial' : 'zero'
}

function byOf({ given, kept, counted, late }: ProblemProgress): MarkBy | null {
  if (given !== null) return 'given'
  if (kept) return 'kept'
  if (counted === null) return null
  return late?.submissionIds.includes(counted) ? 'late' : 'inTime'
}

function cellOf(progress: ProblemProgress | undefined, points: number): BoardCell {
  if (progress === undefined) return { ...EMPTY_CELL, points }
  const { mark, given, counted, submissionIds, late } = progress
  return {
    mark,
    points,
    tries: submissionIds.length,
    late: late?.score ?? null,
    by: byOf(progress),
    given,
    countedId: counted,
    lateId: late?.bestId ?? null,
  }
}

/** The board of a homework: the marks, and beside them the late scores. */
export function boardOfHomework(
  students: UserInfo[],
  homework: Pick<Homework, 'problemIds' | 'points' | 'studentStatus' | 'marks'>,
): BoardRow[] {
  const { problemIds, points, studentStatus, marks } = homework
  return students.map((user) => {
    const own = studentStatus.get(user.username) ?? {}
    const { sum = 0, excused = false, given = null } = marks.get(user.username) ?? {}
    return {
      user,
      cells: problemIds.map((id, index) => cellOf(own[id], points[index] ?? TOTAL_SCORE)),
      sum,
      average: sum === null ? null : sum / Math.max(1, problemIds.length),
      isExcused: excused,
      given,
    }
  })
}

/** The board of a time window, which need not be the homework's: scores, before late rules and points. */
export function boardOfWindow(rows: ScoreboardRow[], problemIds: number[]): BoardRow[] {
  return rows.map(({ user, problems }) => {
    const cells = problemIds.map((id): BoardCell => {
      const cell = problems[id]
      if (cell === undefined || cell.count === 0) return EMPTY_CELL
      const { count, max, bestId = null } = cell
      return { ...EMPTY_CELL, mark: max, tries: count, countedId: bestId }
    })
    const sum = sumOfPoints(cells.map(({ mark }) => mark ?? 0))
    const average = sum / Math.max(1, cells.length)
    return { user, cells, sum, average, isExcused: false, given: null }
  })
}

/** How many students have handed in, and their mean score; null if nobody has. */
export function turnoutOf(rows: BoardRow[]): { handedIn: number; mean: number | null } {
  const handedIn = rows.filter(({ cells }) =>
    cells.some(({ tries, countedId }) => tries > 0 || countedId !== null),
  )
  const averages = handedIn.flatMap(({ average }) => average ?? [])
  const sum = averages.reduce((total, average) => total + average, 0)
  const mean = averages.length === 0 ? null : sum / averages.length
  return { handedIn: handedIn.length, mean }
}

/** Sort keys besides the problems, whose key is their position. */
export const SORT_KEYS = { user: 'user', sum: 'sum', average: 'average' } as const

/** Sorts rows; ties by username. What has no mark sorts below 0. */
export function sortBoard(rows: BoardRow[], by: string, descending: boolean): BoardRow[] {
  function numberOf(row: BoardRow): number {
    if (by === SORT_KEYS.sum) return row.sum ?? -1
    if (by === SORT_KEYS.average) return row.average ?? -1
    return row.cells[Number(by)]?.mark ?? -1
  }
  function byName(left: BoardRow, right: BoardRow): number {
    return left.user.username.localeCompare(right.user.username, 'en', { numeric: true })
  }
  const direction = descending ? -1 : 1
  return rows.toSorted((left, right) =>
    by === SORT_KEYS.user
      ? direction * byName(left, right)
      : direction * (numberOf(left) - numberOf(right)) || byName(left, right),
  )
}

/** Headers of the exported columns and words in them, in the reader's language. */
interface BoardHeads {
  username: string
  displayName: string
  /** Absent in a course without labels. */
  labels?: { head: string; cellOf: (user: UserInfo) => string }
  sum: string
  average: string
  /** Points for the homework as a whole. */
  given: string
  excused: string
  yes: string
  tries: (problem: string) => string
  late: (problem: string) => string
  by: (problem: string) => string
  byName: (by: MarkBy) => string
}

/** The board as a table for `toCsv`; a problem without a mark is an empty cell. */
export function boardTable(
  rows: BoardRow[],
  problems: string[],
  heads: BoardHeads,
): (string | number | null)[][] {
  return [
    [
      heads.username,
      heads.displayName,
      ...(heads.labels ? [heads.labels.head] : []),
      ...problems.flatMap((name) => [name, heads.tries(name), heads.late(name), heads.by(name)]),
      heads.sum,
      heads.average,
      heads.given,
      heads.excused,
    ],
    ...rows.map(({ user, cells, sum, average, given, isExcused }) => [
      user.username,
      user.displayedName,
      ...(heads.labels ? [heads.labels.cellOf(user)] : []),
      ...cells.flatMap(({ mark, tries, late, by }) => [
        mark,
        tries,
        late,
        by === null ? null : heads.byName(by),
      ]),
      sum,
      average === null ? null : Math.round(average * 100) / 100,
      given?.points ?? null,
      isExcused ? heads.yes : null,
    ]),
  ]
}
