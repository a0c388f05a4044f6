/** Rules of dates and late work that hold for every policy. Worked examples: `dates-examples.test.ts`. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  arrivalOf,
  countedOf,
  datesOf,
  percentLeft,
  pointsFor,
  sumOfPoints,
  type Counts,
  type OverrideFields,
  type Scored,
} from '#contract/homework-dates'
import { dates, lateRules, overrides, submissionLists } from '../support/random-dates.ts'

const NOTHING: OverrideFields = {
  opens: null,
  due: null,
  closes: null,
  graceMinutes: null,
  latePercent: null,
  quota: null,
  excused: null,
}

/** A homework with its rule, what staff have set, and a student's submissions. */
const homeworks = fc.record({
  homework: dates,
  lateRule: lateRules,
  forAll: fc.option(overrides),
  person: fc.option(overrides),
  submissions: submissionLists,
})
type Homework = typeof homeworks extends fc.Arbitrary<infer One> ? One : never

const moreSeconds = fc.integer({ min: 1, max: 200_000 })

const ownDates = ({ homework, forAll, person }: Homework) => datesOf(homework, forAll, person)

/** The value that counts, −1 if none does. */
function valueIn(each: Homework, counts: Counts = 'best'): number {
  const { lateRule, submissions } = each
  return countedOf(submissions, ownDates(each), { lateRule, counts })?.value ?? -1
}

/** The homework with another field for the person. */
function withOwn(each: Homework, fields: Partial<OverrideFields>): Homework {
  return { ...each, person: { ...NOTHING, ...each.person, ...fields } }
}

describe('where the best one counts, a mark never falls', () => {
  test('by a later due time', () => {
    fc.assert(
      fc.property(homeworks, moreSeconds, (each, more) => {
        const extended = withOwn(each, { due: ownDates(each).due + more })
        expect(valueIn(extended)).toBeGreaterThanOrEqual(valueIn(each))
      }),
    )
  })

  test('by a later closing time', () => {
    fc.assert(
      fc.property(homeworks, moreSeconds, (each, more) => {
        const longer = withOwn(each, { closes: ownDates(each).closes + more })
        expect(valueIn(longer)).toBeGreaterThanOrEqual(valueIn(each))
      }),
    )
  })

  test('by more grace', () => {
    fc.assert(
      fc.property(homeworks, fc.integer({ min: 1, max: 1_440 }), (each, more) => {
        const longer = withOwn(each, { graceMinutes: ownDates(each).graceMinutes + more })
        expect(valueIn(longer)).toBeGreaterThanOrEqual(valueIn(each))
      }),
    )
  })

  test('by one more submission', () => {
    fc.assert(
      fc.property(homeworks, (each) => {
        const fewer = { ...each, submissions: each.submissions.slice(1) }
        expect(valueIn(each)).toBeGreaterThanOrEqual(valueIn(fewer))
      }),
    )
  })

  test('below what the last one would count', () => {
    fc.assert(
      fc.property(homeworks, (each) => {
        expect(valueIn(each, 'best')).toBeGreaterThanOrEqual(valueIn(each, 'last'))
      }),
    )
  })
})

test('the order of a list changes nothing, even of equal times', () => {
  fc.assert(
    fc.property(homeworks, fc.boolean(), fc.constantFrom('best', 'last'), (each, same, counts) => {
      const dated = ownDates(each)
      const list = each.submissions.map((one) => (same ? { ...one, at: dated.due } : one))
      const rules = { lateRule: each.lateRule, counts }
      expect(countedOf(list.toReversed(), dated, rules)).toEqual(countedOf(list, dated, rules))
    }),
  )
})

test('an excused student has the same dates', () => {
  fc.assert(
    fc.property(homeworks, (each) => {
      const excused = ownDates(withOwn(each, { excused: true }))
      expect(excused).toEqual({ ...ownDates(withOwn(each, { excused: false })), excused: true })
    }),
  )
})

test('more time for all shortens nobody’s time', () => {
  fc.assert(
    fc.property(homeworks, moreSeconds, (each, more) => {
      const before = ownDates(each)
      const forAll = { ...NOTHING, ...each.forAll }
      const due = Math.max(forAll.due ?? each.homework.end, before.due) + more
      const after = ownDates({ ...each, forAll: { ...forAll, due } })
      expect(after.due).toBeGreaterThan(before.due)
      expect(after.closes).toBeGreaterThanOrEqual(before.closes)
    }),
  )
})

test('dates come in their order: nothing closes before it is due and its grace is over', () => {
  fc.assert(
    fc.property(homeworks, (each) => {
      const { due, closes, graceMinutes } = ownDates(each)
      expect(closes).toBeGreaterThanOrEqual(due + graceMinutes * 60)
    }),
  )
})

test('the later the work, the less is left of it', () => {
  fc.assert(
    fc.property(lateRules, moreSeconds, moreSeconds, (rule, late, more) => {
      const { left } = percentLeft(rule, null, late)
      expect(left).toBeLessThanOrEqual(100)
      expect(percentLeft(rule, null, late + more).left).toBeLessThanOrEqual(left)
      expect(percentLeft(rule, 42, late)).toEqual({ left: 42, units: null })
    }),
  )
})

test('a value is a whole number from 0 to 10,000, and never more than the score', () => {
  fc.assert(
    fc.property(homeworks, (each) => {
      for (const one of each.submissions) {
        const value = valueIn({ ...each, submissions: [one] })
        if (value === -1) continue
        expect(Number.isInteger(value)).toBe(true)
        expect(value).toBeGreaterThanOrEqual(0)
        expect(value).toBeLessThanOrEqual(one.score * 100)
      }
    }),
  )
})

test('a unit counts from its first second, and no more is taken than the floor leaves', () => {
  const rule = { kind: 'units', unitMinutes: 60, percent: 10, how: 'multiply', floor: 25 } as const
  expect([1, 3_600, 3_601, 7_200, 7_201].map((late) => percentLeft(rule, null, late))).toEqual([
    { left: 90, units: 1 },
    { left: 90, units: 1 },
    { left: 80, units: 2 },
    { left: 80, units: 2 },
    { left: 70, units: 3 },
  ])
  expect(percentLeft(rule, null, 100 * 3_600)).toEqual({ left: 25, units: 100 })
})

test('a submission comes early, in time, late or after closing', () => {
  const own = { opens: 1_000, due: 2_000, closes: 3_000, graceMinutes: 1 }
  const times = [999, 1_000, 2_000, 2_060, 2_061, 3_000, 3_001]
  expect(times.map((at) => arrivalOf(at, own))).toEqual([
    'early',
    'inTime',
    'inTime',
    'inTime',
    'late',
    'late',
    'closed',
  ])
})

test('of several best ones the earliest counts; of equal times, that with the lower id came first', () => {
  const own = datesOf({ start: 0, end: 100, close: 200, graceMinutes: 0 }, null, null)
  const list: Scored[] = [
    { id: 'c', at: 60, score: 50 },
    { id: 'b', at: 50, score: 50 },
    { id: 'a', at: 60, score: 50 },
  ]
  const countedBy = (counts: Counts) => countedOf(list, own, { lateRule: { kind: 'none' }, counts })
  expect(countedBy('best')).toEqual({ id: 'b', value: 5_000 })
  expect(countedBy('last')).toEqual({ id: 'c', value: 5_000 })
  expect(countedOf([], own, { lateRule: { kind: 'none' }, counts: 'best' })).toBeNull()
})

test('points are rounded half up to hundredths, and their sum has no errors of floating point', () => {
  expect(pointsFor(7_650, 20)).toBe(15.3)
  expect(pointsFor(50, 1)).toBe(0.01)
  expect(pointsFor(49, 1)).toBe(0)
  expect(pointsFor(10_000, 1_000)).toBe(1_000)
  expect(sumOfPoints([0.1, 0.2])).toBe(0.3)
  expect(sumOfPoints([])).toBe(0)
  const points = fc.array(fc.integer({ min: 0, max: 100_000 }))
  fc.assert(
    fc.property(points, (hundredths) => {
      const sum = hundredths.reduce((total, each) => total + each, 0)
      expect(sumOfPoints(hundredths.map((each) => each / 100))).toBe(sum / 100)
    }),
  )
})
