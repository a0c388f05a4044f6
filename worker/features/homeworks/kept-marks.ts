/** Which marks fall by a change of dates, and are therefore kept. */
import { countedOf } from '#contract/homework-dates'
import type { keptMarks } from '../../db/schema.ts'
import type { BudgetHomework, LateDaysReader } from './late-days.ts'
import { toScored } from './marks.ts'

/** What counts for a person's problem in a homework, as `valueOf` gives it. */
export type ValueRow = typeof keptMarks.$inferSelect

/** What decides about marks, besides dates. `attempts`: those of all time. */
export interface MarksState {
  homeworks: readonly BudgetHomework[]
  attempts: readonly (Omit<ValueRow, 'value'> & { attempts: string })[]
  kept: readonly ValueRow[]
}

type Values = ReadonlyMap<string, ValueRow>

const keyOf = ({ homeworkId, userId, problemId }: Omit<ValueRow, 'value'>) =>
  `${homeworkId} ${userId} ${problemId}`

/**
 * What counts by these dates, by `keyOf`. What counts for nothing is left out.
 * @param dates everybody's, with the late days that they use or without
 */
export function markValues(
  { homeworks, attempts }: Pick<MarksState, 'homeworks' | 'attempts'>,
  dates: Pick<LateDaysReader, 'datesOf'>,
): Values {
  const byId = new Map(homeworks.map((homework) => [homework.id, homework]))
  const values = new Map<string, ValueRow>()
  for (const { attempts: text, ...row } of attempts) {
    const homework = byId.get(row.homeworkId)
    if (!homework) continue
    const { lateRule, counts, courseCounts } = homework
    const rules = { lateRule, counts: counts ?? courseCounts }
    const own = dates.datesOf(homework, row.userId)
    const { value = 0 } = countedOf(toScored(JSON.parse(text)), own, rules) ?? {}
    if (value > 0) values.set(keyOf(row), { ...row, value })
  }
  return values
}

/** The kept marks that are higher than what counts now. `now`: what does. */
export function higherThan(now: Values, kept: readonly ValueRow[]): (ValueRow & { now: number })[] {
  return kept.flatMap((row) => {
    const { value = 0 } = now.get(keyOf(row)) ?? {}
    return row.value > value ? [{ ...row, now: value }] : []
  })
}

/**
 * The kept marks after a change of dates: whatever was higher before, be it kept already or counted.
 * @param before what counted
 * @param now what counts from now on
 * @returns `higher`: all of them; `stored`: those among them that are new or changed; `dropped`: those that are reached again
 */
export function keptAfter(kept: readonly ValueRow[], before: Values, now: Values) {
  const earlier = new Map(kept.map((row) => [keyOf(row), row]))
  const most = new Map(before)
  for (const [key, row] of earlier)
    if (row.value > (before.get(key)?.value ?? 0)) most.set(key, row)
  const higher = higherThan(now, [...most.values()])
  const isHigher = new Set(higher.map(keyOf))
  return {
    higher,
    stored: higher.filter((row) => row.value !== earlier.get(keyOf(row))?.value),
    dropped: kept.filter((row) => !isHigher.has(keyOf(row))),
  }
}
