/** What each student has reached in a homework: pure, from the submissions to its problems. */
import type { Homework, ProblemProgress } from '#contract/homeworks'
import { STATUS, submissionStatus } from '#contract/verdicts'

/** A submission as far as it matters here. Times in epoch seconds. */
export interface HomeworkSubmission {
  username: string
  problemId: number
  submissionId: string
  status: number
  score: number
  acceptedAt: number
}

/**
 * username → problem id → progress. The score is the best of what came in time; what came late is kept beside it.
 * `problemStatus` is Accepted once any submission in time was, else the latest one's; null when all came late.
 * @param rows in any order; ids are ordered by time
 * @param endAt end of the homework
 */
export function toStudentStatus(
  rows: HomeworkSubmission[],
  endAt: number,
): Homework['studentStatus'] {
  const status: Homework['studentStatus'] = Object.create(null)
  for (const row of rows.toSorted((left, right) =>
    left.submissionId < right.submissionId ? -1 : 1,
  )) {
    const byProblem = (status[row.username] ??= {})
    const progress = (byProblem[row.problemId] ??= {
      score: 0,
      problemStatus: null,
      submissionIds: [],
      late: null,
    })
    if (row.acceptedAt > endAt) addLate(progress, row)
    else addInTime(progress, row)
  }
  return status
}

function addInTime(progress: ProblemProgress, row: HomeworkSubmission): void {
  progress.submissionIds.push(row.submissionId)
  progress.score = Math.max(progress.score, row.score)
  if (progress.problemStatus !== STATUS.AC)
    progress.problemStatus = submissionStatus.parse(row.status)
}

function addLate(progress: ProblemProgress, row: HomeworkSubmission): void {
  progress.late ??= { score: 0, submissionIds: [] }
  progress.late.submissionIds.push(row.submissionId)
  progress.late.score = Math.max(progress.late.score, row.score)
}
