/** Makes the scoreboard of a homework that students see. */
import type { UserInfo } from '#contract/fields'
import { sumOfPoints } from '#contract/homework-dates'
import type { HomeworkBoard, HomeworkBoardRow } from '#contract/homeworks'
import type { Attempts } from '../../db/schema.ts'
import type { GradebookReader } from './gradebook-queries.ts'
import type { BudgetHomework, LateDaysReader } from './late-days.ts'
import type { MarkedProblem, MarksReader } from './marks.ts'
import type { ReadHomework } from './student-status.ts'

/**
 * Problem → mark, null where nothing counts; undefined for a person without marks. `added`: points for the homework as a whole. `set`: the points
 * that staff set in place of the sum.
 */
interface StudentMarks {
  scores: ReadonlyMap<number, number | null> | undefined
  added?: number
  set?: number
}

/** Nothing is shown of a student's marks. */
export const NO_MARKS: StudentMarks = { scores: undefined }

/** Collects everybody's marks in a homework while their attempts are read. */
export class BoardMarks {
  /** Person → problem → mark with 0, 1, 2 … late days. */
  readonly #scores = new Map<number, Map<number, (number | null)[]>>()
  readonly #marks: MarksReader
  readonly #lateDays: LateDaysReader
  readonly #gradebook: GradebookReader
  readonly #homework: BudgetHomework
  readonly #problems: ReadonlyMap<number, MarkedProblem>

  /** @param homework its late days know all of them before `of` is called */
  constructor({ marks, lateDays, gradebook, homework }: ReadHomework, problems: MarkedProblem[]) {
    this.#marks = marks
    this.#lateDays = lateDays
    this.#gradebook = gradebook
    this.#homework = homework
    this.#problems = new Map(problems.map((problem) => [problem.problemId, problem]))
    // People may have marks without a submission.
    for (const { homeworkId, userId, problemId } of marks.rows)
      if (homeworkId === homework.id && problemId !== null) this.read(userId, problemId, {})
  }

  /** Takes all attempts of a person at a problem. */
  read(userId: number, problemId: number, attempts: Attempts): void {
    const problem = this.#problems.get(problemId)
    if (!problem) return
    const marks = this.#lateDays.marksByDays(this.#homework, problem, userId, attempts)
    const own = this.#scores.get(userId) ?? new Map<number, (number | null)[]>()
    this.#scores.set(userId, own.set(problemId, marks))
  }

  /** What a student has; nothing for an excused one, and for one whose mark is held. */
  of(userId: number): StudentMarks {
    const { id } = this.#homework
    const setting = this.#gradebook.settingOf(id, userId)
    const excused = setting?.isExcused ?? this.#marks.dates.datesOf(this.#homework, userId).excused
    if (excused || !this.#gradebook.isShown(id, userId)) return NO_MARKS
    const given = this.#marks.givenTo(id, userId, null)
    const days = this.#lateDays.daysOf(this.#homework, userId)
    const scores = [...(this.#scores.get(userId) ?? [])].map(
      // Days change nothing in a problem with one mark.
      ([problemId, marks]) => [problemId, marks[Math.min(days, marks.length - 1)] ?? null] as const,
    )
    const set = setting?.hundredths ?? null
    return {
      scores: new Map(scores),
      added: given?.points ?? 0,
      ...(set !== null && { set: set / 100 }),
    }
  }
}

type Student = UserInfo & StudentMarks

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
  function toRow({
    username: name,
    displayedName,
    role,
    scores: own,
    added = 0,
    set,
  }: Student): HomeworkBoardRow {
    const scores = problemIds.map((id) => own?.get(id) ?? null)
    const sum = set ?? sumOfPoints([...scores.map((score) => score ?? 0), added])
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
