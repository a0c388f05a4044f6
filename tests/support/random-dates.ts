/** Random homeworks, overrides and submissions for property tests: times lie close together, so that many meet a boundary. */
import * as fc from 'fast-check'
import type { HomeworkDates, LateRule, OverrideFields, Scored } from '#contract/homework-dates'
import { idAt } from './dates-examples.ts'

const START = 1_800_000_000
const DAY_SECONDS = 86_400

/** Seconds: often whole hours or a second beside them, up to some days. */
const seconds = fc
  .tuple(fc.integer({ min: 0, max: 36 }), fc.constantFrom(0, 0, 1, -1, 300, 600, 601))
  .map(([hours, rest]) => Math.max(0, hours * 3_600 + rest))
const instants = seconds.map((after) => START + after)

/** Dates in their order. */
export const dates: fc.Arbitrary<HomeworkDates> = fc
  .tuple(seconds, seconds, fc.option(seconds), fc.constantFrom(0, 0, 5, 10, 60, 1_440))
  .map(([open, more, closing, graceMinutes]) => {
    const end = START + Math.min(open, DAY_SECONDS) + more
    const start = START + Math.min(open, DAY_SECONDS)
    return { start, end, close: closing === null ? null : end + closing, graceMinutes }
  })

const percents = fc.integer({ min: 0, max: 100 })

const steps = fc
  .uniqueArray(fc.integer({ min: 0, max: 24 }), { minLength: 1, maxLength: 5 })
  .chain((hours) =>
    fc.array(percents, { minLength: hours.length, maxLength: hours.length }).map((left) => {
      const falling = left.toSorted((one, other) => other - one)
      return hours
        .toSorted((one, other) => one - other)
        .map((afterHours, index) => ({ afterHours, percent: falling[index] ?? 0 }))
    }),
  )

/** A late rule of each kind. */
export const lateRules: fc.Arbitrary<LateRule> = fc.oneof(
  fc.constant({ kind: 'none' } as const),
  steps.map((each) => ({ kind: 'steps' as const, steps: each })),
  fc.record({
    kind: fc.constant('units' as const),
    unitMinutes: fc.constantFrom(1, 7, 60, 720, 1_440),
    percent: fc.integer({ min: 1, max: 100 }),
    how: fc.constantFrom('multiply', 'subtract', 'cap'),
    floor: fc.oneof(fc.constant(0), percents),
  }),
)

/** An override; most of its fields are null. */
export const overrides: fc.Arbitrary<OverrideFields> = fc.record({
  opens: fc.option(instants, { freq: 2 }),
  due: fc.option(instants, { freq: 2 }),
  closes: fc.option(instants, { freq: 2 }),
  graceMinutes: fc.option(fc.constantFrom(0, 10, 90), { freq: 2 }),
  latePercent: fc.option(percents, { freq: 2 }),
  quota: fc.option(fc.integer({ min: -1, max: 4 }), { freq: 2 }),
  excused: fc.option(fc.boolean(), { freq: 2 }),
})

/** A submission's time, score and status; some are not judged or Judge Errors. */
const handIns = fc.record({
  at: fc.oneof(
    instants,
    seconds.map((after) => START + DAY_SECONDS + after),
  ),
  score: percents,
  status: fc.constantFrom(-2, -1, 0, 1, 1, 2, 3, 4, 5, 6, 7),
})

/** Submissions with ids of their own, in any order. In some lists times are rounded, so that many are equal. */
export const submissionLists: fc.Arbitrary<(Scored & { status: number })[]> = fc
  .tuple(fc.array(handIns, { maxLength: 8 }), fc.constantFrom(1, 1, 43_200))
  .map(([list, step]) =>
    list.map((each, index) => ({ ...each, at: each.at - (each.at % step), id: idAt(index) })),
  )
