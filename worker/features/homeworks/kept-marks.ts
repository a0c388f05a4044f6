/** Which marks fall by a change of dates, and are therefore kept. */
import { countedOf } from '#contract/homework-dates'
import type { keptMarks } from '../../db/schema.ts'
import { LateDaysReader } from './late-days.ts'
import { MarksReader, toScored } from './marks.ts'
import type { LabelledRow, OverrideRow } from './own-dates.ts'

/** What counts for a person's problem in a homework, as `valueOf` gives it. */
export type ValueRow = typeof keptMarks.$inferSelect

/** The rows that give people their dates. */
export interface DateRows {
  overrides: readonly OverrideRow[]
  labelled: readonly LabelledRow[]
}

type Days = ConstructorParameters<typeof LateDaysReader>

/** What decides about marks, besides dates. `attempts`: those of all time. */
export interface MarksState {
  homeworks: Days[1]
  problems: Days[2]
  asked: Days[3]
  attempts: readonly (Omit<ValueRow, 'value'> & { attempts: string })[]
  kept: readonly ValueRow[]
  given: ConstructorParameters<typeof MarksReader>[3]
}

type Values = ReadonlyMap<string, ValueRow>

const keyOf = ({ homeworkId, userId, problemId }: Omit<ValueRow, 'value'>) =>
  `${homeworkId} ${userId} ${problemId}`

/**
 * What counts by these dates and with the late days that people then use, by `keyOf`. What counts for nothing is left out.
 * @param kept the marks that are kept: nobody uses days to reach them
 */
export function markValues(
  { homeworks, problems, asked, attempts, given }: MarksState,
  { overrides, labelled }: DateRows,
  kept: readonly ValueRow[],
): Values {
  const marks = new MarksReader(overrides, labelled, kept, given)
  const lateDays = new LateDaysReader(marks, homeworks, problems, asked)
  for (const row of attempts) lateDays.take(row)
  const byId = new Map(homeworks.map((homework) => [homework.id, homework]))
  const values = new Map<string, ValueRow>()
  for (const { attempts: text, ...row } of attempts) {
    const homework = byId.get(row.homeworkId)
    if (!homework) continue
    const { lateRule, counts, courseCounts } = homework
    const rules = { lateRule, counts: counts ?? courseCounts }
    const own = lateDays.datesOf(homework, row.userId)
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
 * @returns `higher`: all of them; `stored`: those among them that are new or changed; `dropped`: those that are reached again
 */
export function keptAfter(state: MarksState, before: DateRows, after: DateRows) {
  const earlier = new Map(state.kept.map((row) => [keyOf(row), row]))
  const most = new Map(markValues(state, before, state.kept))
  for (const [key, row] of earlier) if (row.value > (most.get(key)?.value ?? 0)) most.set(key, row)
  const higher = new Map<string, ValueRow>()
  // Nobody uses days to reach a mark that is kept, so others may fall until enough are kept.
  for (let size = -1; size < higher.size;) {
    size = higher.size
    const now = markValues(state, after, [...higher.values()])
    for (const { now: _, ...row } of higherThan(now, [...most.values()]))
      higher.set(keyOf(row), row)
  }
  return {
    higher: [...higher.values()],
    stored: [...higher].flatMap(([key, row]) =>
      row.value === earlier.get(key)?.value ? [] : [row],
    ),
    dropped: state.kept.filter((row) => !higher.has(keyOf(row))),
  }
}
