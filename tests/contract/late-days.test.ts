/** Which homeworks use late days: compared with trying every way, for budgets of up to six homeworks. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { spendLateDays, withLateDays } from '#contract/late-day-spending'
import { lateDayBudgets } from '#contract/late-days'

/** Few different sums, so that many ways are equal. */
const sums = fc.array(fc.array(fc.integer({ min: -2, max: 3 }), { minLength: 1, maxLength: 4 }), {
  maxLength: 6,
})
const size = fc.integer({ min: 0, max: 6 })

const totalOf = (rows: number[][], days: number[]) =>
  rows.reduce((total, row, index) => total + (row[days[index] ?? 0] ?? 0), 0)
const countOf = (days: number[]) => days.reduce((total, each) => total + each, 0)

/** Every way to use at most so many days, beginning with the most days in the first homework. */
function waysOf([row, ...others]: number[][], left: number): number[][] {
  if (row === undefined) return [[]]
  return [...row.keys()]
    .toReversed()
    .filter((days) => days <= left)
    .flatMap((days) => waysOf(others, left - days).map((way) => [days, ...way]))
}

/** The best way, found by trying all. */
function tried(rows: number[][], left: number): number[] {
  const [first = [], ...others] = waysOf(rows, left)
  return others.reduce((best, way) => {
    const more = totalOf(rows, way) - totalOf(rows, best)
    return more > 0 || (more === 0 && countOf(way) < countOf(best)) ? way : best
  }, first)
}

describe('late days are used', () => {
  test('as trying every way finds it: the largest sum, the fewest days, the earlier homework', () => {
    fc.assert(
      fc.property(sums, size, (rows, days) => {
        expect(spendLateDays(rows, days)).toEqual(tried(rows, days))
      }),
      { numRuns: 300 },
    )
  })

  test('never beyond the budget, and a day more never lowers the sum', () => {
    fc.assert(
      fc.property(sums, size, (rows, days) => {
        const used = spendLateDays(rows, days)
        expect(countOf(used)).toBeLessThanOrEqual(days)
        expect(totalOf(rows, spendLateDays(rows, days + 1))).toBeGreaterThanOrEqual(
          totalOf(rows, used),
        )
      }),
    )
  })

  test('for the same sum and as many of them, in whatever order homeworks are due', () => {
    const orders = sums.chain((rows) =>
      fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })),
    )
    fc.assert(
      fc.property(orders, size, ([rows, other], days) => {
        const [one, two] = [spendLateDays(rows, days), spendLateDays(other, days)]
        expect([totalOf(other, two), countOf(two)]).toEqual([totalOf(rows, one), countOf(one)])
      }),
    )
  })

  test('in the homework due first where both gain the same, and nowhere if none gains', () => {
    expect(
      spendLateDays(
        [
          [0, 5],
          [0, 5],
        ],
        1,
      ),
    ).toEqual([1, 0])
    expect(
      spendLateDays(
        [
          [7, 7],
          [3, 3, 2],
        ],
        5,
      ),
    ).toEqual([0, 0])
    expect(spendLateDays([], 3)).toEqual([])
  })

  test('within the time of a Worker in the largest budget', () => {
    const rows = Array.from({ length: 200 }, (_, index) =>
      Array.from({ length: 31 }, (_each, days) => Math.min(days, index % 31) * 100_000),
    )
    const began = performance.now()
    expect(countOf(spendLateDays(rows, 100))).toBe(100)
    expect(performance.now() - began).toBeLessThan(1_000)
  })
})

test('a late day moves the due time by 24 hours, and the closing time as far as it must or may', () => {
  const dates = { opens: 0, due: 1_000, closes: 90_000, graceMinutes: 10 }
  expect(withLateDays(dates, 0, true)).toEqual(dates)
  expect(withLateDays(dates, 1, true)).toEqual({ ...dates, due: 87_400, closes: 176_400 })
  expect(withLateDays(dates, 1, false)).toEqual({ ...dates, due: 87_400 })
  expect(withLateDays(dates, 2, false)).toEqual({ ...dates, due: 173_800, closes: 174_400 })
})

test('a homework and a budget stand once in a list of budgets', () => {
  const rule = { size: 5, mostEach: 2, spending: 'auto', movesClosing: true }
  const budget = (id: number | null, homeworkId: string) => ({
    ...rule,
    id,
    name: homeworkId,
    homeworkIds: [homeworkId],
  })
  const check = (...budgets: object[]) =>
    lateDayBudgets.safeParse({ budgets }).error?.issues.map(({ path }) => path) ?? []
  const [one, two] = ['1'.repeat(24), '2'.repeat(24)]
  expect(check(budget(1, one), budget(null, two), budget(null, '3'.repeat(24)))).toEqual([])
  expect(check(budget(1, one), budget(2, one))).toEqual([['budgets', 1, 'homeworkIds']])
  expect(check(budget(1, one), budget(1, two))).toEqual([['budgets', 1, 'id']])
})
