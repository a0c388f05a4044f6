/** Each student's progress and mark in a homework, computed from their submissions. */
import { arrivalOf, sumOfPoints, type Arrival, type Dates } from '#contract/homework-dates'
import type { HomeworkMark, ProblemProgress } from '#contract/homeworks'
import { STATUS, submissionStatus } from '#contract/verdicts'
import type { Attempts } from '../../db/schema.ts'
import type { GradebookReader } from './gradebook-queries.ts'
import type { BudgetHomework, LateDaysReader } from './late-days.ts'
import type { MarkedProblem, MarksReader } from './marks.ts'

/** A homework with everybody's marks and late days, and what the gradebook says about them. */
export interface ReadHomework {
  marks: MarksReader
  lateDays: LateDaysReader
  gradebook: GradebookReader
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

/** What a student sees of the mark of a problem that is not shown. */
const NOT_SHOWN = { counted: null, mark: null, kept: false, given: null }

/** Person → problem → progress. */
type ProgressOf = Map<number, Record<number, ProblemProgress>>

/**
 * Everybody's progress. The score is the best of submissions in time; late submissions are listed apart. Only marks know late days.
 * `problemStatus` is Accepted if any submission in time is Accepted. Otherwise it is the status of the latest submission in time, or null if all were late.
 * Submissions before a person's opening are left out. Of a mark that is not shown only the submissions are.
 * @param shown the problems that the caller may see
 */
export function readProgress(
  { marks, lateDays, gradebook, homework }: ReadHomework,
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
    const mark = gradebook.isShown(homework.id, userId)
      ? marks.markOf(homework, problem, userId, markDates, attempts)
      : NOT_SHOWN
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

/**
 * Each person's mark in a homework: the points that staff set in the gradebook, else the sum of what is computed. One that is not shown is empty.
 * @param people those who have a mark even without progress
 */
export function marksOf(
  { marks, lateDays, gradebook, homework }: ReadHomework,
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
      const dates = marks.dates.datesOf(homework, userId)
      const days = gradebook.shownDays(id, userId, lateDays.lateDaysOf(homework, userId))
      if (!gradebook.isShown(id, userId))
        return [userId, { sum: null, excused: dates.excused, given: null, lateDays: days }]
      const setting = gradebook.settingOf(id, userId)
      const excused = setting?.isExcused ?? dates.excused
      const given = marks.givenTo(id, userId, null)
      const points = Object.values(progress.get(userId) ?? {}).map(({ mark }) => mark ?? 0)
      const computed = excused ? null : sumOfPoints([...points, given?.points ?? 0])
      const sum = setting ? toPoints(setting.hundredths) : computed
      return [userId, { sum, excused, given, lateDays: days }]
    }),
  )
}

const toPoints = (hundredths: number | null) => (hundredths === null ? null : hundredths / 100)

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
