/** The scoreboard of a homework as rows. */
import type { UserInfo } from '#contract/fields'
import type { Homework } from '#contract/homeworks'
import { TOTAL_SCORE } from '#contract/limits'
import type { ScoreboardRow } from '#contract/problems/stats'

/** A student's result on a problem. `score` null: nothing judged; `late` null: nothing submitted late. */
export interface BoardCell {
  score: number | null
  tries: number
  late: number | null
  /** The submissions with the best score in time and with the best late score. */
  bestId: string | null
  lateId: string | null
}

export const EMPTY_CELL: BoardCell = {
  score: null,
  tries: 0,
  late: null,
  bestId: null,
  lateId: null,
}

export interface BoardRow {
  user: UserInfo
  /** One cell for each problem, in the homework's order. */
  cells: BoardCell[]
  sum: number
  average: number
}

type CellState = 'full' | 'partial' | 'zero' | 'none'

/** The state of a cell, which chooses its icon. */
export function stateOf({ score }: BoardCell): CellState {
  if (score === null) return 'none'
  if (score === TOTAL_SCORE) return 'full'
  return score > 0 ? 'partial' : 'zero'
}

function toRow(user: UserInfo, cells: BoardCell[]): BoardRow {
  const sum = cells.reduce((total, cell) => total + (cell.score ?? 0), 0)
  return { user, cells, sum, average: cells.length === 0 ? 0 : sum / cells.length }
}

/** The board of a homework: the best score in time, and beside it the late score. */
export function boardOfHomework(
  students: UserInfo[],
  { problemIds, studentStatus }: Pick<Homework, 'problemIds' | 'studentStatus'>,
): BoardRow[] {
  return students.map((user) => {
    const own = studentStatus.get(user.username) ?? {}
    const cells = problemIds.map((id): BoardCell => {
      const progress = own[id]
      const tries = progress?.submissionIds.length ?? 0
      return {
        score: progress === undefined || tries === 0 ? null : progress.score,
        tries,
        late: progress?.late?.score ?? null,
        bestId: progress?.bestId ?? null,
        lateId: progress?.late?.bestId ?? null,
      }
    })
    return toRow(user, cells)
  })
}

/** The board of a time window, which need not be the homework's. */
export function boardOfWindow(rows: ScoreboardRow[], problemIds: number[]): BoardRow[] {
  return rows.map(({ user, problems }) =>
    toRow(
      user,
      problemIds.map((id): BoardCell => {
        const cell = problems[id]
        if (cell === undefined || cell.count === 0) return EMPTY_CELL
        const { count, max, bestId = null } = cell
        return { ...EMPTY_CELL, score: max, tries: count, bestId }
      }),
    ),
  )
}

/** How many students have handed in by the due time, and their mean score; null if nobody has. */
export function turnoutOf(rows: BoardRow[]): { handedIn: number; mean: number | null } {
  const averages = rows
    .filter(({ cells }) => cells.some(({ tries }) => tries > 0))
    .map(({ average }) => average)
  const sum = averages.reduce((total, average) => total + average, 0)
  return { handedIn: averages.length, mean: averages.length === 0 ? null : sum / averages.length }
}

/** Sort keys besides the problems, whose key is their position. */
export const SORT_KEYS = { user: 'user', sum: 'sum', average: 'average' } as const

/** Sorts rows; ties by username. A cell without submission sorts below a score of 0. */
export function sortBoard(rows: BoardRow[], by: string, descending: boolean): BoardRow[] {
  function numberOf(row: BoardRow): number {
    if (by === SORT_KEYS.sum) return row.sum
    if (by === SORT_KEYS.average) return row.average
    return row.cells[Number(by)]?.score ?? -1
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

/** Headers of the exported columns, in the reader's language. */
interface BoardHeads {
  username: string
  displayName: string
  sum: string
  average: string
  tries: (problem: string) => string
  late: (problem: string) => string
}

/** The board as a table for `toCsv`; a problem without submission is an empty cell. */
export function boardTable(
  rows: BoardRow[],
  problems: string[],
  heads: BoardHeads,
): (string | number | null)[][] {
  return [
    [
      heads.username,
      heads.displayName,
      ...problems.flatMap((name) => [name, heads.tries(name), heads.late(name)]),
      heads.sum,
      heads.average,
    ],
    ...rows.map(({ user, cells, sum, average }) => [
      user.username,
      user.displayedName,
      ...cells.flatMap(({ score, tries, late }) => [score, tries, late]),
      sum,
      Math.round(average * 100) / 100,
    ]),
  ]
}
