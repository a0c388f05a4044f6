/** The scoreboard of a homework as rows: pure, from what the API answers. */
import type { UserInfo } from '#contract/fields'
import type { Homework } from '#contract/homeworks'
import { TOTAL_SCORE } from '#contract/limits'
import type { ScoreboardRow } from '#contract/stats'

/** What a student reached on one problem. `score` null: nothing judged; `late` null: nothing came late. */
export interface BoardCell {
  score: number | null
  tries: number
  late: number | null
}

export interface BoardRow {
  user: UserInfo
  /** In the order of the homework's problems. */
  cells: BoardCell[]
  sum: number
  average: number
}

type CellState = 'full' | 'partial' | 'zero' | 'none'

/** What a cell shows by its shape. */
export function stateOf({ score }: BoardCell): CellState {
  if (score === null) return 'none'
  if (score === TOTAL_SCORE) return 'full'
  return score > 0 ? 'partial' : 'zero'
}

function toRow(user: UserInfo, cells: BoardCell[]): BoardRow {
  const sum = cells.reduce((total, cell) => total + (cell.score ?? 0), 0)
  return { user, cells, sum, average: cells.length === 0 ? 0 : sum / cells.length }
}

/** What counts for the homework: the best that came in time, with what came late beside it. */
export function boardOfHomework(students: UserInfo[], homework: Homework): BoardRow[] {
  const { problemIds, studentStatus } = homework
  return students.map((user) => {
    const own = studentStatus[user.username] ?? {}
    const cells = problemIds.map((id): BoardCell => {
      const progress = own[id]
      const tries = progress?.submissionIds.length ?? 0
      return {
        score: progress === undefined || tries === 0 ? null : progress.score,
        tries,
        late: progress?.late?.score ?? null,
      }
    })
    return toRow(user, cells)
  })
}

/** What came in within a time, whenever the homework ran. */
export function boardOfWindow(rows: ScoreboardRow[], problemIds: number[]): BoardRow[] {
  return rows.map(({ user, problems }) =>
    toRow(
      user,
      problemIds.map((id): BoardCell => {
        const { count, max } = problems[id] ?? { count: 0, max: 0 }
        return { score: count === 0 ? null : max, tries: count, late: null }
      }),
    ),
  )
}

/** Columns that rows are sorted by beside the problems, which go by their position. */
export const SORT_KEYS = { user: 'user', sum: 'sum', average: 'average' } as const

/** Equal rows stand by username. Who handed in nothing comes below who reached nothing. */
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

/** Heads of the exported columns, in the reader's language. */
interface BoardHeads {
  username: string
  displayName: string
  sum: string
  average: string
  tries: (problem: string) => string
  late: (problem: string) => string
}

/** The board as a table for `toCsv`; what nobody handed in is an empty cell. */
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
