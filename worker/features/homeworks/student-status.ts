/** Each student's progress and mark in a homework, computed from their submissions. */
import { arrivalOf, sumOfPoints, type Arrival, type Dates } from '#contract/homework-dates'
import type { HomeworkMark, ProblemProgress } from '#contract/homeworks'
import { STATUS, submissionStatus } from '#contract/verdicts'
import type { Attempts } from '../../db/schema.ts'
import type { BudgetHomework, LateDaysReader } from './late-days.ts'
import type { MarkedProblem, MarksReader } from './marks.ts'

/** A homework with everybody's marks and late days. */
interface ReadHomework {
  marks: MarksReader
  lateDays: LateDaysReader
  homework: BudgetHomework
}

/** One person's submissions to one problem of a homework, at any time. */
interface AttemptsRow {
  userId: number
  problemId: number
  /** JSON of `Attempts`. */
  attempts: string
}

/** One attempt of a row. */
interface Entry {
  id: string
  status: number
  score: number
  came: Arrival
}

/** Person → problem → progress. */
type ProgressOf = Map<number, Record<number, ProblemProgress>>

/**
 * Everybody's progress. The score is the best of submissions in time; late submissions are listed apart. Only marks know late days.
 * `problemStatus` is Accepted if any submission in time is Accepted. Otherwise it is the status of the latest submission in time, or null if all were late.
 * Submissions before a person's opening are left out.
 * @param shown the problems that the caller may see
 */
export function readProgress(
  { marks, lateDays, homework }: ReadHomework,
  shown: MarkedProblem[],
  rows: AttemptsRow[],
): ProgressOf {
  const problems = new Map(shown.map((problem) => [problem.problemId, problem]))
  const progress: ProgressOf = new Map()
  function add(userId: number, problemId: number, attempts: Attempts) {
    const problem = problems.get(problemId)
    if (!problem) return
    const dates = marks.dates.datesOf(homework, userId)
    const markDates = lateDays.datesOf(homework, userId)
    const mark = marks.markOf(homework, problem, userId, markDates, attempts)
    const entries = toEntries(dates, attempts)
    if (entries.length === 0 && mark.mark === null && mark.given === null) return
    const own = progress.get(userId) ?? {}
    own[problemId] = { ...toProgress(entries), ...mark }
    progress.set(userId, own)
  }
  // People may have marks without a submission; a row of attempts then replaces their entry.
  for (const { homeworkId, userId, problemId } of marks.rows)
    if (homeworkId === homework.id && problemId !== null) add(userId, problemId, {})
  for (const { userId, problemId, attempts } of rows) add(userId, problemId, JSON.parse(attempts))
  return progress
}

/** Each person's mark in a homework. @param people those who have a mark even without progress */
export function marksOf(
  { marks, lateDays, homework }: ReadHomework,
  progress: ProgressOf,
  people: number[],
): Map<number, HomeworkMark> {
  const { id } = homework
  const inTotal = marks.rows.filter(
    ({ homeworkId, problemId }) => homeworkId === id && problemId === null,
  )
  const all = new Set([...people, ...progress.keys(), ...inTotal.map(({ userId }) => userId)])
  return new Map(
    [...all].map((userId) => {
      const { excused } = marks.dates.datesOf(homework, userId)
      const given = marks.givenTo(id, userId, null)
      const points = Object.values(progress.get(userId) ?? {}).map(({ mark }) => mark ?? 0)
      const sum = excused ? null : sumOfPoints([...points, given?.points ?? 0])
      return [userId, { sum, excused, given, lateDays: lateDays.lateDaysOf(homework, userId) }]
    }),
  )
}

/** Values by username. */
export function byName<Value>(
  values: Map<number, Value>,
  names: Map<number, string>,
): Record<string, Value> {
  return Object.fromEntries([...values].map(([userId, value]) => [names.get(userId) ?? '', value]))
}

/** The attempts since a person's opening, by time. */
function toEntries(dates: Dates, attempts: Attempts): Entry[] {
  // Ids are ordered by time.
  return Object.entries(attempts)
    .map(([id, [at, status, score]]) => ({ id, status, score, came: arrivalOf(at, dates) }))
    .filter(({ came }) => came !== 'early')
    .toSorted((left, right) => (left.id < right.id ? -1 : 1))
}

type Attempted = Omit<ProblemProgress, 'counted' | 'mark' | 'kept' | 'given'>

/** What the submissions of one person to one problem have reached. */
function toProgress(entries: Entry[]): Attempted {
  const progress: Attempted = {
    score: 0,
    problemStatus: null,
    submissionIds: [],
    bestId: null,
    late: null,
  }
  for (const entry of entries) {
    if (entry.came === 'inTime') addInTime(progress, entry)
    else addLate(progress, entry)
  }
  return progress
}

function addInTime(progress: Attempted, { id, status, score }: Entry): void {
  progress.submissionIds.push(id)
  if (progress.bestId === null || score > progress.score) progress.bestId = id
  progress.score = Math.max(progress.score, score)
  if (progress.problemStatus !== STATUS.AC) progress.problemStatus = submissionStatus.parse(status)
}

function addLate(progress: Attempted, { id, score }: Entry): void {
  progress.late ??= { score: 0, submissionIds: [], bestId: id }
  progress.late.submissionIds.push(id)
  if (score > progress.late.score) progress.late.bestId = id
  progress.late.score = Math.max(progress.late.score, score)
}
