/** Each student's progress in a homework, computed from their submissions. */
import { homeworkStatusAt, type ProblemProgress, type SentHomework } from '#contract/homeworks'
import { STATUS, submissionStatus } from '#contract/verdicts'
import type { Attempts } from '../../db/schema.ts'

/** One person's submissions to one problem of a homework, at any time. */
interface AttemptsRow {
  username: string
  problemId: number
  /** JSON of `Attempts`. */
  attempts: string
}

/** One attempt of a row. */
interface Entry {
  id: string
  status: number
  score: number
}

/**
 * username → problem id → progress. The score is the best of submissions in time; late submissions are listed apart.
 * `problemStatus` is Accepted if any submission in time is Accepted. Otherwise it is the status of the latest submission in
 * time, or null if all were late.
 * @param homework its times; submissions before its start do not count
 * @param shown the problems that the caller may see
 */
export function toStudentStatus(
  homework: { startAt: number; endAt: number },
  shown: number[],
  rows: AttemptsRow[],
): SentHomework['studentStatus'] {
  const status = new Map<string, Record<number, ProblemProgress>>()
  for (const { username, problemId, attempts } of rows) {
    if (!shown.includes(problemId)) continue
    const progress = toProgress(homework, JSON.parse(attempts))
    if (!progress) continue
    const own = status.get(username) ?? {}
    own[problemId] = progress
    status.set(username, own)
  }
  return Object.fromEntries(status)
}

/** One person's progress on one problem; undefined without a submission since the start. */
function toProgress(
  { startAt, endAt }: { startAt: number; endAt: number },
  attempts: Attempts,
): ProblemProgress | undefined {
  const entries = Object.entries(attempts)
    .map(([id, [acceptedAt, status, score]]) => ({
      id,
      status,
      score,
      came: homeworkStatusAt({ start: startAt, end: endAt }, acceptedAt),
    }))
    .filter(({ came }) => came !== 'not-started')
  if (entries.length === 0) return undefined
  const progress: ProblemProgress = {
    score: 0,
    problemStatus: null,
    submissionIds: [],
    bestId: null,
    late: null,
  }
  // Ids are ordered by time.
  for (const entry of entries.toSorted((left, right) => (left.id < right.id ? -1 : 1))) {
    if (entry.came === 'over') addLate(progress, entry)
    else addInTime(progress, entry)
  }
  return progress
}

function addInTime(progress: ProblemProgress, { id, status, score }: Entry): void {
  progress.submissionIds.push(id)
  if (progress.bestId === null || score > progress.score) progress.bestId = id
  progress.score = Math.max(progress.score, score)
  if (progress.problemStatus !== STATUS.AC) progress.problemStatus = submissionStatus.parse(status)
}

function addLate(progress: ProblemProgress, { id, score }: Entry): void {
  progress.late ??= { score: 0, submissionIds: [], bestId: id }
  progress.late.submissionIds.push(id)
  if (score > progress.late.score) progress.late.bestId = id
  progress.late.score = Math.max(progress.late.score, score)
}
