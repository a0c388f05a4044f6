/** The late days that people use: computed anew from their submissions, dates and points, and never counted down. */
import type { Dates, OwnDates } from '#contract/homework-dates'
import { spendLateDays, withLateDays } from '#contract/late-day-spending'
import type { LateDayRule, LateDays } from '#contract/late-days'
import type { Attempts, homeworks } from '../../db/schema.ts'
import type { MarkedHomework, MarkedProblem, MarksReader } from './marks.ts'
import type { AskedRow } from './late-day-queries.ts'

/** A homework with its budget. */
export type BudgetHomework = MarkedHomework &
  Pick<typeof homeworks.$inferSelect, 'budgetId'> & {
    /** It says nothing where `budgetId` is null. */
    rule: LateDayRule
  }

/** A problem of a homework. `isHidden`: students never see it, so it uses no days. */
type BudgetProblem = MarkedProblem & { homeworkId: string; isHidden: number }

/** One person's submissions to one problem of a homework. */
interface AttemptsRow {
  homeworkId: string
  userId: number
  problemId: number
  /** JSON of `Attempts`. */
  attempts: string
}

const keyOf = (homeworkId: string, id: number) => `${homeworkId} ${id}`

const toHundredths = (points: number | null | undefined) => Math.round((points ?? 0) * 100)

/** The rule of a homework's budget; null without one. */
export function ruleOf({ budgetId, rule }: BudgetHomework): LateDayRule | null {
  return budgetId === null ? null : rule
}

/**
 * Everybody's late days in the homeworks that were read. All homeworks of a budget must be among them, and `take` must have got all attempts
 * at their problems before the days are asked for.
 */
export class LateDaysReader {
  readonly #marks: MarksReader
  readonly #homeworks: Map<string, BudgetHomework>
  readonly #ofBudgets: Map<number | null, BudgetHomework[]>
  readonly #problems: Map<string, BudgetProblem>
  readonly #asked: Map<string, number>
  /** Homework and person → the hundredths of points that 0, 1, 2 … days add. */
  readonly #gains = new Map<string, number[]>()
  /** Budget and person → homework → days. */
  readonly #used = new Map<string, Map<string, number>>()

  constructor(
    marks: MarksReader,
    rows: readonly BudgetHomework[],
    problems: readonly BudgetProblem[],
    asked: readonly AskedRow[],
  ) {
    const inBudgets = rows.filter(({ budgetId }) => budgetId !== null)
    const open = problems.filter(({ isHidden }) => !isHidden)
    this.#marks = marks
    this.#homeworks = new Map(inBudgets.map((row) => [row.id, row]))
    this.#ofBudgets = Map.groupBy(inBudgets, ({ budgetId }) => budgetId)
    this.#problems = new Map(open.map((row) => [keyOf(row.homeworkId, row.problemId), row]))
    this.#asked = new Map(asked.map((row) => [keyOf(row.homeworkId, row.userId), row.days]))
  }

  /** Takes all attempts of a person at a problem of a homework. */
  take({ homeworkId, userId, problemId, attempts }: AttemptsRow): void {
    const homework = this.#homeworks.get(homeworkId)
    const problem = this.#problems.get(keyOf(homeworkId, problemId))
    if (!homework || !problem) return
    const marks = this.marksByDays(homework, problem, userId, JSON.parse(attempts))
    if (marks.length === 1) return
    const key = keyOf(homeworkId, userId)
    const others = this.#gains.get(key)
    const [base] = marks
    this.#gains.set(
      key,
      marks.map((mark, days) => (others?.[days] ?? 0) + toHundredths(mark) - toHundredths(base)),
    )
  }

  /** A person's mark of a problem with 0, 1, 2 … late days, as many as the person may use; only the first one where days change nothing. */
  marksByDays(
    homework: BudgetHomework,
    problem: MarkedProblem,
    userId: number,
    attempts: Attempts,
  ): (number | null)[] {
    const dates = this.#marks.dates.datesOf(homework, userId)
    const isLate = Object.values(attempts).some(([at]) => at > dates.due + dates.graceMinutes * 60)
    const most = isLate ? this.mostOf(homework, userId) : 0
    return Array.from({ length: most + 1 }, (_, days) => {
      const moved = withLateDays(dates, days, homework.rule.movesClosing)
      return this.#marks.markOf(homework, problem, userId, moved, attempts).mark
    })
  }

  /** The most days that a person may use in a homework. */
  mostOf({ id, budgetId, rule }: BudgetHomework, userId: number): number {
    if (budgetId === null) return 0
    const most = Math.min(rule.mostEach, rule.size)
    return rule.spending === 'auto' ? most : Math.min(most, this.askedOf(id, userId))
  }

  /** The days that a person asked for in a homework. */
  askedOf(homeworkId: string, userId: number): number {
    return this.#asked.get(keyOf(homeworkId, userId)) ?? 0
  }

  /** The homeworks of a budget where a person uses days, by due time, with the days. */
  usedOf(budgetId: number, userId: number): ReadonlyMap<string, number> {
    const key = `${budgetId} ${userId}`
    const known = this.#used.get(key)
    if (known) return known
    const gaining = (this.#ofBudgets.get(budgetId) ?? []).flatMap((homework) => {
      const gains = this.#gains.get(keyOf(homework.id, userId))
      if (!gains) return []
      const { due } = this.#marks.dates.datesOf(homework, userId)
      return [{ id: homework.id, size: homework.rule.size, due, gains }]
    })
    const inOrder = gaining.toSorted(
      (left, right) => left.due - right.due || (left.id < right.id ? -1 : 1),
    )
    const days = spendLateDays(
      inOrder.map(({ gains }) => gains),
      inOrder[0]?.size ?? 0,
    )
    const used = new Map(
      inOrder.flatMap(({ id }, index) => {
        const here = days[index] ?? 0
        return here > 0 ? [[id, here] as const] : []
      }),
    )
    this.#used.set(key, used)
    return used
  }

  /** The days that a person uses in a homework. */
  daysOf({ id, budgetId }: BudgetHomework, userId: number): number {
    return budgetId === null ? 0 : (this.usedOf(budgetId, userId).get(id) ?? 0)
  }

  /** The points that so many days add for a person in a homework. */
  gainOf(homeworkId: string, userId: number, days: number): number {
    return (this.#gains.get(keyOf(homeworkId, userId))?.[days] ?? 0) / 100
  }

  /** The days of a budget that a person does not use. */
  leftOf(budgetId: number, size: number, userId: number): number {
    return [...this.usedOf(budgetId, userId).values()].reduce((left, days) => left - days, size)
  }

  /** A person's late days in a homework; null: it has no budget. */
  lateDaysOf({ id, budgetId, rule }: BudgetHomework, userId: number): LateDays | null {
    if (budgetId === null) return null
    const used = this.usedOf(budgetId, userId).get(id) ?? 0
    return {
      used,
      left: this.leftOf(budgetId, rule.size, userId),
      asked: this.askedOf(id, userId),
      gain: this.gainOf(id, userId, used),
    }
  }

  /** The dates by which a person's marks count: with the late days that the person uses. */
  datesOf(homework: BudgetHomework, userId: number): Dates {
    const dates = this.#marks.dates.datesOf(homework, userId)
    return withLateDays(dates, this.daysOf(homework, userId), homework.rule.movesClosing)
  }

  /** A person's dates as they are sent: the closing time includes the days that the person can still use. Null: the dates for all. */
  ownDatesOf(homework: BudgetHomework, userId: number | null): OwnDates {
    const own = this.#marks.dates.ownDatesOf(homework, userId)
    const lateDays = userId === null ? null : this.lateDaysOf(homework, userId)
    if (userId === null || lateDays === null) return own
    const days = Math.min(this.mostOf(homework, userId), lateDays.used + lateDays.left)
    return { ...own, closes: withLateDays(own, days, homework.rule.movesClosing).closes }
  }
}
