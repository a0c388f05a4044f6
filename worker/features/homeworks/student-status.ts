/** What each student has reached in a homework: pure, from what they have handed in to its problems. */
import type { Homework, ProblemProgress } from '#contract/homeworks'
import { STATUS, submissionStatus } from '#contract/verdicts'
import type { HistoryEntry } from '../../db/schema.ts'

/** What somebody has handed in to a problem of a homework, in the homework's time or not. */
export interface HistoryRow {
  username: string
  problemId: number
  /** JSON of `HistoryEntry[]`. */
  history: string
}

/**
 * username → problem id → progress. The score is the best of what came in time; what came late is kept beside it.
 * `problemStatus` is Accepted once any submission in time was, else the latest one's; null when all came late.
 * @param homework when it starts and ends; what came before does not count
 * @param shown the problems that the caller may see
 */
export function toStudentStatus(
  homework: { startAt: number; endAt: number },
  shown: number[],
  rows: HistoryRow[],
): Homework['studentStatus'] {
  const status: Homework['studentStatus'] = Object.create(null)
  for (const { username, problemId, history } of rows) {
    if (!shown.includes(problemId)) continue
    const progress = toProgress(homework, JSON.parse(history))
    if (progress) (status[username] ??= {})[problemId] = progress
  }
  return status
}

/** The progress of one person on one problem; undefined when nothing came since the start. */
function toProgress(
  { startAt, endAt }: { startAt: number; endAt: number },
  history: HistoryEntry[],
): ProblemProgress | undefined {
  const entries = history.filter(([, acceptedAt]) => acceptedAt >= startAt)
  if (entries.length === 0) return undefined
  const progress: ProblemProgress = { score: 0, problemStatus: null, submissionIds: [], late: null }
  // Ids are ordered by time.
  for (const entry of entries.toSorted(([left], [right]) => (left < right ? -1 : 1))) {
    const [, acceptedAt] = entry
    if (acceptedAt > endAt) addLate(progress, entry)
    else addInTime(progress, entry)
  }
  return progress
}

function addInTime(progress: ProblemProgress, [id, , status, score]: HistoryEntry): void {
  progress.submissionIds.push(id)
  progress.score = Math.max(progress.score, score)
  if (progress.problemStatus !== STATUS.AC) progress.problemStatus = submissionStatus.parse(status)
}

function addLate(progress: ProblemProgress, [id, , , score]: HistoryEntry): void {
  progress.late ??= { score: 0, submissionIds: [] }
  progress.late.submissionIds.push(id)
  progress.late.score = Math.max(progress.late.score, score)
}
