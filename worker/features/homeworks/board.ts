/** Makes the scoreboard of a homework that students see. */
import type { UserInfo } from '#contract/fields'
import { homeworkStatusAt, type HomeworkBoard, type HomeworkBoardRow } from '#contract/homeworks'
import type { Attempts } from '../../db/schema.ts'

/** The best score in time of a person's attempts at a problem; null without one in time. */
export function bestInTime(
  { startAt, endAt }: { startAt: number; endAt: number },
  attempts: Attempts,
): number | null {
  const scores = Object.values(attempts)
    .filter(([at]) => homeworkStatusAt({ start: startAt, end: endAt }, at) === 'running')
    .map(([, , score]) => score)
  return scores.length === 0 ? null : Math.max(...scores)
}

/** A student, and the best score in time of each problem they have tried. */
type Student = UserInfo & { scores: ReadonlyMap<number, number | null> | undefined }

/** Compares rows by their sums, then by the scores of each problem in order. Without a submission a student ranks below a score of 0. */
function compareScores(left: HomeworkBoardRow, right: HomeworkBoardRow): number {
  const difference = left.scores
    .map((score, index) => (right.scores[index] ?? -1) - (score ?? -1))
    .find((each) => each !== 0)
  return right.sum - left.sum || (difference ?? 0)
}

/**
 * The reader's own row and the rows of the other students. On a scoreboard without names, neither the rows nor their order tell who is who.
 * @param students the students of the course
 * @param username the reader's name
 */
export function toBoard(
  { problemIds, hasNames }: { problemIds: number[]; hasNames: boolean },
  students: Student[],
  username: string,
): HomeworkBoard {
  function toRow({ username: name, displayedName, role, scores: own }: Student): HomeworkBoardRow {
    const scores = problemIds.map((id) => own?.get(id) ?? null)
    const sum = scores.reduce<number>((total, score) => total + (score ?? 0), 0)
    const isNamed = hasNames || name === username
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
