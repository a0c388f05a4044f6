/** The scoreboard of a course, computed from each student's results. */
import type { UserInfo } from '#contract/fields'
import type { ScoreboardCell, ScoreboardRow } from '#contract/problems/stats'

/** One student's judged submissions to one problem: how many, and their scores. */
export interface ScoreboardEntry {
  userId: number
  problemId: number
  count: number
  max: number
  min: number
  sum: number
  /** The first submission with the best score; only for a time window. */
  bestId?: string
}

const NOTHING: ScoreboardCell = { count: 0, max: 0, min: 0, avg: 0 }

/**
 * One row per student, the best first. Students without submissions have zeros.
 * @param problemIds the problems of the columns
 */
export function toScoreboard(
  students: (UserInfo & { id: number })[],
  problemIds: number[],
  entries: ScoreboardEntry[],
): ScoreboardRow[] {
  const byStudent = Map.groupBy(entries, (entry) => entry.userId)
  const rows = students.map(({ id, username, displayedName, role }) => {
    const own = new Map((byStudent.get(id) ?? []).map((entry) => [entry.problemId, toCell(entry)]))
    const cells = problemIds.map((pid) => [pid, own.get(pid) ?? NOTHING] as const)
    const sum = cells.reduce((total, [, cell]) => total + cell.max, 0)
    return {
      user: { username, displayedName, role },
      sum,
      avg: problemIds.length === 0 ? 0 : sum / problemIds.length,
      problems: Object.fromEntries(cells),
    }
  })
  return rows.toSorted(
    (left, right) => right.sum - left.sum || left.user.username.localeCompare(right.user.username),
  )
}

function toCell({ count, max, min, sum, bestId }: ScoreboardEntry): ScoreboardCell {
  return { count, max, min, avg: sum / count, ...(bestId !== undefined && { bestId }) }
}
