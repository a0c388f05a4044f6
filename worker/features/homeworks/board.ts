/** What students see of each other in a homework. */
import type { UserInfo } from '#contract/fields'
import type { Homework, HomeworkBoard, HomeworkBoardRow } from '#contract/homeworks'

/** The scores that decide between equal sums, the first problem first; nothing handed in comes last. */
function compareScores(left: HomeworkBoardRow, right: HomeworkBoardRow): number {
  const difference = left.scores
    .map((score, index) => (right.scores[index] ?? -1) - (score ?? -1))
    .find((each) => each !== 0)
  return right.sum - left.sum || (difference ?? 0)
}

/**
 * The own row, and those of the others: without names, equal rows are the same, so that neither the rows nor their order
 * tell who is who.
 * @param homework with everyone's progress
 * @param students of the course
 * @param username the reader's
 */
export function toBoard(
  {
    problemIds,
    studentStatus,
    scoreboardNames,
  }: Pick<Homework, 'problemIds' | 'studentStatus' | 'scoreboardNames'>,
  students: UserInfo[],
  username: string,
): HomeworkBoard {
  function toRow({ username: name, displayedName, role }: UserInfo): HomeworkBoardRow {
    const own = studentStatus[name] ?? {}
    const scores = problemIds.map((id) => {
      const progress = own[id]
      return progress && progress.submissionIds.length > 0 ? progress.score : null
    })
    const sum = scores.reduce<number>((total, score) => total + (score ?? 0), 0)
    const isNamed = scoreboardNames || name === username
    return { user: isNamed ? { username: name, displayedName, role } : null, scores, sum }
  }
  const byName = students.toSorted((left, right) => left.username.localeCompare(right.username))
  return {
    problemIds,
    own: byName.filter((user) => user.username === username).map(toRow)[0] ?? null,
    others: byName
      .filter((user) => user.username !== username)
      .map(toRow)
      .toSorted(compareScores),
  }
}
