/** The marks of homeworks with what they are derived from. */
import {
  arrivalOf,
  deductionOf,
  percentLeft,
  type Dates,
  type Scored,
} from '#contract/homework-dates'
import type { ProblemDerivation } from '#contract/mark-derivation'
import { ATTEMPTS } from '../../db/problem-results.ts'
import { UNDERIVED, type Attempts, type StoredDerivation } from '../../db/schema.ts'
import type { DateRows, MarksState } from './kept-marks.ts'
import { LateDaysReader, type BudgetHomework } from './late-days.ts'
import { MarksReader, toScored, type MarkedProblem } from './marks.ts'

/** A person's mark of a homework, in hundredths of a point. `hasMark` false: the person has nothing there. */
interface DerivedHomework {
  hundredths: number | null
  isExcused: boolean
  hasMark: boolean
  derivation: StoredDerivation
}

const toHundredths = (points: number) => Math.round(points * 100)

const keyOf = (homeworkId: string, userId: number) => `${homeworkId} ${userId}`

/** A submission's number among the person's tries, from 1; null where not all of them were read. */
function nthOf({ id, at }: Scored, attempts: Attempts): number | null {
  const tries = Object.entries(attempts)
  if (tries.length >= ATTEMPTS.read) return null
  return 1 + tries.filter(([other, [time]]) => time < at || (time === at && other < id)).length
}

/** How late a submission counts, and what the late rule leaves of it. */
function lateness(at: number, dates: Dates, { lateRule }: BudgetHomework) {
  const lateSeconds = arrivalOf(at, dates) === 'late' ? at - dates.due : 0
  const { left } =
    lateSeconds > 0 ? percentLeft(lateRule, dates.latePercent, lateSeconds) : { left: 100 }
  return { lateSeconds, left, how: deductionOf(lateRule, dates.latePercent) }
}

const IN_TIME = { lateSeconds: 0, left: 100, how: 'multiply' } as const

/** Attempts that wait for a verdict. */
const waitingOf = (attempts: Attempts) =>
  Object.entries(attempts).flatMap(([id, [, status]]) => (status < 0 ? [id] : []))

/** The newest scored submission before which none waits for its verdict; '': none. */
function settledOf(attempts: Attempts): string {
  const firstWaiting = waitingOf(attempts).toSorted()[0]
  return toScored(attempts).reduce(
    (newest, { id }) =>
      id > newest && (firstWaiting === undefined || id < firstWaiting) ? id : newest,
    '',
  )
}

/** People's marks in homeworks, from all that decides about them. Of each homework, those that share its late days must have been read, too. */
export class HomeworkMarks {
  readonly #marks: MarksReader
  readonly #lateDays: LateDaysReader
  readonly #homeworks: Map<string, BudgetHomework>
  /** Homework → problems that students see. */
  readonly #problems: Map<string, MarksState['problems'][number][]>
  /** Homework and person → problem → attempts. */
  readonly #attempts = new Map<string, Map<number, Attempts>>()

  constructor(state: MarksState & DateRows) {
    const { homeworks, problems, asked, attempts, kept, given, overrides, labelled } = state
    this.#marks = new MarksReader(overrides, labelled, kept, given)
    this.#lateDays = new LateDaysReader(this.#marks, homeworks, problems, asked)
    this.#homeworks = new Map(homeworks.map((homework) => [homework.id, homework]))
    this.#problems = Map.groupBy(
      problems.filter(({ isHidden }) => !isHidden),
      ({ homeworkId }) => homeworkId,
    )
    for (const row of attempts) {
      this.#lateDays.take(row)
      const key = keyOf(row.homeworkId, row.userId)
      const own = this.#attempts.get(key) ?? new Map<number, Attempts>()
      this.#attempts.set(key, own.set(row.problemId, JSON.parse(row.attempts)))
    }
  }

  /** A person's mark of a homework; undefined: the homework was not read. */
  of(homeworkId: string, userId: number): DerivedHomework | undefined {
    const homework = this.#homeworks.get(homeworkId)
    if (!homework) return undefined
    const dates = this.#lateDays.datesOf(homework, userId)
    if (dates.excused) {
      const derivation = { ...UNDERIVED, excusedBy: 'dates' } as const
      return { hundredths: null, isExcused: true, hasMark: true, derivation }
    }
    const inOrder = (this.#problems.get(homeworkId) ?? []).toSorted(
      (left, right) => left.problemId - right.problemId,
    )
    const problems = inOrder.flatMap(
      (problem) => this.#deriveProblem(homework, problem, userId, dates) ?? [],
    )
    const given = this.#marks.givenTo(homeworkId, userId, null)
    const added = given && toHundredths(given.points)
    const derivation = {
      ...UNDERIVED,
      problems,
      added,
      lateDays: this.#lateDays.daysOf(homework, userId),
      settled: Object.fromEntries(
        inOrder
          .map(({ problemId }) => [
            problemId,
            settledOf(this.#attemptsOf(homeworkId, userId, problemId)),
          ])
          .filter(([, id]) => id !== ''),
      ),
    }
    const parts = [added, ...problems.map(({ hundredths }) => hundredths)].filter(
      (part) => part !== null,
    )
    return {
      hundredths: parts.reduce((sum, part) => sum + part, 0),
      isExcused: false,
      hasMark: parts.length > 0,
      derivation,
    }
  }

  #attemptsOf(homeworkId: string, userId: number, problemId: number): Attempts {
    return this.#attempts.get(keyOf(homeworkId, userId))?.get(problemId) ?? {}
  }

  /** Whether a submission is judged again that counted in a person's mark, or that was settled in it. @param stored what the mark was derived from */
  isJudgedAgain(homeworkId: string, userId: number, stored: StoredDerivation): boolean {
    return (this.#problems.get(homeworkId) ?? []).some(({ problemId }) => {
      const counted = stored.problems.find((each) => each.problemId === problemId)?.submissionId
      return waitingOf(this.#attemptsOf(homeworkId, userId, problemId)).some(
        (id) => id === counted || id <= (stored.settled[problemId] ?? ''),
      )
    })
  }

  /** How a problem's points came about; null for a problem where the person has neither points nor a judged submission. */
  #deriveProblem(
    homework: BudgetHomework,
    problem: MarkedProblem,
    userId: number,
    dates: Dates,
  ): ProblemDerivation | null {
    const { problemId, points } = problem
    const attempts = this.#attemptsOf(homework.id, userId, problemId)
    const scored = toScored(attempts)
    const mark = this.#marks.deriveMark(homework, problem, userId, dates, attempts)
    if (mark.mark === null && scored.length === 0) return null
    const counted = scored.find(({ id }) => id === mark.counted)
    return {
      problemId,
      points: points * 100,
      submissionId: counted?.id ?? null,
      nth: counted ? nthOf(counted, attempts) : null,
      at: counted?.at ?? null,
      score: counted?.score ?? null,
      ...(counted ? lateness(counted.at, dates, homework) : IN_TIME),
      computed: mark.computed === null ? null : toHundredths(mark.computed),
      isKept: mark.kept,
      isGiven: mark.given !== null,
      hundredths: mark.mark === null ? null : toHundredths(mark.mark),
    }
  }
}
