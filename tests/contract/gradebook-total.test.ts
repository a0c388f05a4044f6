/** The total of a gradebook: compared with its rule in exact fractions, for small courses. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  totalOf,
  type TotalColumn,
  type TotalGroup,
  type TotalMark,
  type TotalRule,
} from '#contract/gradebook-total'

/** A course with one person's marks. */
interface Course {
  rule: TotalRule
  groups: TotalGroup[]
  columns: TotalColumn[]
  marks: Map<number, TotalMark>
}

/** An exact fraction; the denominator is positive. */
type Fraction = readonly [bigint, bigint]

const whole = (value: number): Fraction => [BigInt(value), 1n]
const ZERO = whole(0)
const plus = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d + c * b, b * d]
const times = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * c, b * d]
const isLess = ([a, b]: Fraction, [c, d]: Fraction) => a * d < c * b
const smaller = (left: Fraction, right: Fraction) => (isLess(right, left) ? right : left)
const ratio = (value: number, divisor: number): Fraction => [BigInt(value), BigInt(divisor)]
const sumOf = (fractions: Fraction[]) => fractions.reduce(plus, ZERO)
const toNumber = ([a, b]: Fraction) => Number((a * 1_000n) / b) / 1_000

const add = (numbers: number[]) => numbers.reduce((sum, each) => sum + each, 0)
const pointsOf = ({ marks }: Course, id: number) => marks.get(id)?.hundredths ?? 0
const isExcused = ({ marks }: Course, id: number) => marks.get(id)?.isExcused ?? false
const weigh = ({ weight, max }: TotalColumn) => weight ?? max
const percentOf = (course: Course, { id, max }: TotalColumn) => ratio(pointsOf(course, id), max)

/** Without groups all columns are in one. */
function groupsOf({ groups, columns }: Course): { group: TotalGroup; own: TotalColumn[] }[] {
  const one = { id: -1, weight: null, dropLowest: 0, capPercent: 100, isExtra: false }
  if (groups.length === 0) return [{ group: one, own: columns }]
  return groups.map((group) => ({
    group,
    own: columns.filter(({ groupId }) => groupId === group.id),
  }))
}

const countingOf = (own: TotalColumn[]) =>
  own.filter((column) => !column.isExtra && column.max > 0 && weigh(column) > 0)

/** The columns that are not dropped: so many others are worse than each, or as bad and later. */
function keptOf(course: Course, { dropLowest }: TotalGroup, present: TotalColumn[]) {
  return present.filter((column, index) => {
    const worse = present.filter((other, position) => {
      const [mine, theirs] = [percentOf(course, column), percentOf(course, other)]
      return isLess(theirs, mine) || (!isLess(mine, theirs) && position > index)
    })
    return worse.length >= Math.min(dropLowest, present.length - 1)
  })
}

/** What columns add to a group that kept others. */
function sumExactly(course: Course, share: Fraction, kept: TotalColumn[], adding: TotalColumn[]) {
  const all = add(kept.map(weigh))
  const parts = adding.map((column) =>
    times(times(share, ratio(weigh(column), all)), percentOf(course, column)),
  )
  return sumOf(parts)
}

/** The total before it is rounded, null if no column counts. */
function totalExactly(course: Course): Fraction | null {
  const made = groupsOf(course).map(({ group, own }) => {
    const counting = countingOf(own)
    const weights = counting.map(weigh).toSorted((left, right) => right - left)
    const heaviest = weights.slice(0, Math.max(1, weights.length - group.dropLowest))
    const weight = group.weight ?? add(heaviest)
    const present = counting.filter(({ id }) => !isExcused(course, id))
    return { group, own, weight, present, counts: weight > 0 && present.length > 0 }
  })
  const regular = made.filter(({ group }) => !group.isExtra)
  const all = add(regular.filter(({ counts }) => counts).map(({ weight }) => weight))
  if (all === 0) return null
  const max = course.rule.outOf ?? add(regular.map(({ weight }) => weight))
  const sums = made.map(({ group, own, weight, present, counts }) => {
    if (!counts) return ZERO
    const share = times(whole(max), ratio(weight, all))
    const kept = keptOf(course, group, present)
    const extra = own.filter(({ id, isExtra, max: most }) => {
      return isExtra && most > 0 && !isExcused(course, id)
    })
    const sum = sumExactly(course, share, kept, [...kept, ...extra])
    return group.capPercent <= 100
      ? smaller(share, times(sum, ratio(100, group.capPercent)))
      : smaller(sum, times(share, ratio(group.capPercent, 100)))
  })
  return smaller(whole(max), sumOf(sums))
}

const hundredths = fc.integer({ min: 0, max: 10_000 })
const rarely = fc.integer({ min: 0, max: 4 }).map((value) => value === 0)
const weight = fc.option(fc.constantFrom(0, 500, 1_000, 3_333), { nil: null })
const group = fc.record({
  weight,
  dropLowest: fc.integer({ min: 0, max: 3 }),
  capPercent: fc.constantFrom(50, 80, 100, 120, 200),
  isExtra: rarely,
})
const column = fc.record({
  groupId: fc.option(fc.integer({ min: 0, max: 3 }), { nil: null }),
  max: fc.constantFrom(0, 700, 1_000, 10_000),
  weight,
  isExtra: rarely,
  /** Few different ones, so that percentages are often equal. */
  mark: fc.option(
    fc.record({ part: fc.constantFrom(0, 0.25, 0.5, 0.7, 1, 1.1), isExcused: rarely }),
    { nil: null },
  ),
})

const courses: fc.Arbitrary<Course> = fc
  .record({
    rule: fc.record({
      outOf: fc.option(fc.oneof(hundredths, fc.constant(10_000_000)), { nil: null }),
      decimals: fc.constantFrom<0 | 1 | 2>(0, 1, 2),
    }),
    groups: fc.array(group, { maxLength: 4 }),
    columns: fc.array(column, { maxLength: 7 }),
  })
  .map(({ rule, groups, columns }) => ({
    rule,
    groups: groups.map((each, id) => ({ id, ...each })),
    columns: columns.map(({ groupId, max, weight: own, isExtra }, id) => ({
      id,
      groupId,
      max,
      weight: own,
      isExtra,
    })),
    marks: new Map(
      columns.flatMap(({ mark, max }, id) =>
        mark === null
          ? []
          : [
              [
                id,
                {
                  hundredths: mark.isExcused ? null : Math.round(max * mark.part),
                  isExcused: mark.isExcused,
                },
              ] as const,
            ],
      ),
    ),
  }))

const madeOf = ({ rule, groups, columns, marks }: Course) => totalOf(rule, groups, columns, marks)

/** Courses of one group whose columns weigh the same. */
const equalWeights = fc
  .record({
    dropLowest: fc.integer({ min: 0, max: 5 }),
    marks: fc.array(fc.constantFrom(0, 10, 20, 33, 50, 100), { minLength: 1, maxLength: 6 }),
  })
  .map(({ dropLowest, marks }): Course => ({
    rule: { outOf: 10_000, decimals: 2 },
    groups: [{ id: 0, weight: 5_000, dropLowest, capPercent: 100, isExtra: false }],
    columns: marks.map((_, id) => ({ id, groupId: 0, max: 100, weight: 10, isExtra: false })),
    marks: new Map(marks.map((each, id) => [id, { hundredths: each, isExcused: false }])),
  }))

/** All subsets of a list. */
function subsetsOf<Item>([first, ...others]: Item[]): Item[][] {
  if (first === undefined) return [[]]
  return subsetsOf(others).flatMap((subset) => [subset, [first, ...subset]])
}

describe('the total', () => {
  test('is that of the rule in exact fractions, but for rounding its parts', () => {
    fc.assert(
      fc.property(courses, (course) => {
        const exact = totalExactly(course)
        const made = madeOf(course)
        expect(made.hundredths === null).toBe(exact === null)
        if (exact === null) return
        const sum = Math.min(made.max, add(made.groups.map((each) => each.hundredths)))
        // A part is at most two hundredths off; an extra one as often as it is heavier, a cap of 50 % doubles this.
        const heaviest = Math.max(1, ...course.columns.map((each) => weigh(each) / 500))
        expect(Math.abs(sum - toNumber(exact))).toBeLessThanOrEqual(
          (course.columns.length + course.groups.length) * 4 * heaviest,
        )
      }),
      { numRuns: 2_000 },
    )
  })

  test('is at least 0 and at most its maximum', () => {
    fc.assert(
      fc.property(courses, (course) => {
        const { hundredths: points, max } = madeOf(course)
        expect(points ?? 0).toBeGreaterThanOrEqual(0)
        expect(points ?? 0).toBeLessThanOrEqual(max)
      }),
    )
  })

  test('is the sum of its groups, rounded half up, and each group is the sum of its columns', () => {
    fc.assert(
      fc.property(courses, (course) => {
        const made = madeOf(course)
        const byId = new Map(made.parts.map((part) => [part.columnId, part]))
        for (const { group: each, own } of groupsOf(course)) {
          const parts = own.flatMap(({ id }) => byId.get(id) ?? [])
          const filled =
            made.groups[groupsOf(course).findIndex(({ group: { id } }) => id === each.id)]
          expect(parts).toHaveLength(own.length)
          expect(add(parts.map((part) => part.hundredths))).toBe(filled?.sum)
          const counting = parts.filter(({ fate }) => fate === 'counts')
          if (filled !== undefined && filled.share > 0)
            expect(add(counting.map(({ share }) => share))).toBe(filled.share)
        }
        const sum = add(made.groups.map((each) => each.hundredths))
        const step = 10 ** (2 - course.rule.decimals)
        const rounded = Math.floor((2 * sum + step) / (2 * step)) * step
        if (made.hundredths !== null)
          expect(made.hundredths).toBe(sum >= made.max ? made.max : Math.min(made.max, rounded))
      }),
      { numRuns: 500 },
    )
  })

  test('shares its maximum among the groups that count', () => {
    fc.assert(
      fc.property(courses, (course) => {
        const made = madeOf(course)
        const regular = groupsOf(course).flatMap(({ group: { isExtra } }, index) =>
          isExtra ? [] : [made.groups[index]?.share ?? 0],
        )
        expect(add(regular)).toBe(made.hundredths === null ? 0 : made.max)
      }),
    )
  })

  test('is the maximum for all points, whatever it is rounded to', () => {
    fc.assert(
      fc.property(courses, (course) => {
        const marks = new Map(
          course.columns
            .filter(({ isExtra }) => !isExtra)
            .map(({ id, max }) => [id, { hundredths: max, isExcused: isExcused(course, id) }]),
        )
        const made = madeOf({ ...course, marks })
        expect([made.max, null]).toContain(made.hundredths)
      }),
      { numRuns: 500 },
    )
  })
})

test('the dropped columns leave the best ones of the same weight, found by trying all', () => {
  fc.assert(
    fc.property(equalWeights, (course) => {
      const { parts } = madeOf(course)
      const kept = parts.filter(({ fate }) => fate === 'counts').map(({ columnId }) => columnId)
      const sum = (ids: number[]) => add(ids.map((id) => pointsOf(course, id)))
      const others = subsetsOf(course.columns.map(({ id }) => id)).filter(
        ({ length }) => length === kept.length,
      )
      expect(kept).toHaveLength(
        Math.max(1, course.columns.length - (course.groups[0]?.dropLowest ?? 0)),
      )
      expect(sum(kept)).toBe(Math.max(...others.map(sum)))
    }),
  )
})

describe('worked examples', () => {
  const homework = (
    id: number,
    mark: number | null,
    isExcused = false,
  ): { column: TotalColumn; mark: TotalMark } => ({
    column: { id, groupId: 1, max: 10_000, weight: null, isExtra: false },
    mark: { hundredths: mark, isExcused },
  })
  const ofGroup = { id: 1, weight: 6_000, dropLowest: 0, capPercent: 100, isExtra: false }
  const exam = { id: 2, weight: 4_000, dropLowest: 0, capPercent: 100, isExtra: false }
  const oral = { id: 9, groupId: 2, max: 2_000, weight: null, isExtra: false }

  /** The total of homeworks and an exam of 20 points. */
  function totalFor(
    homeworks: ReturnType<typeof homework>[],
    change: Partial<TotalGroup> = {},
    points: TotalMark = { hundredths: 1_500, isExcused: false },
  ) {
    return totalOf(
      { outOf: 10_000, decimals: 2 },
      [{ ...ofGroup, ...change }, exam],
      [...homeworks.map(({ column: each }) => each), oral],
      new Map([...homeworks.map(({ column: { id }, mark }) => [id, mark] as const), [9, points]]),
    )
  }

  test('groups count by their weights', () => {
    const made = totalFor([homework(1, 10_000), homework(2, 5_000), homework(3, null)])
    // 60 × (100 + 50 + 0) ÷ 300 = 30, and 40 × 15 ÷ 20 = 30.
    expect(made.hundredths).toBe(6_000)
    expect(made.parts.map(({ share, hundredths: points }) => [share, points])).toEqual([
      [2_000, 2_000],
      [2_000, 1_000],
      [2_000, 0],
      [4_000, 3_000],
    ])
  })

  test('of equal percentages the later column is dropped', () => {
    const made = totalFor([homework(1, 5_000), homework(2, 5_000), homework(3, 9_000)], {
      dropLowest: 1,
    })
    expect(made.parts.map(({ fate }) => fate)).toEqual(['counts', 'dropped', 'counts', 'counts'])
    expect(made.hundredths).toBe(4_200 + 3_000)
  })

  test('the share of an excused column goes to its group, that of an excused group to the others', () => {
    const one = totalFor([homework(1, 5_000), homework(2, null, true)])
    expect(one.parts[0]).toMatchObject({ share: 6_000, hundredths: 3_000 })
    const none = totalFor([homework(1, null, true)])
    expect(none.groups.map(({ share }) => share)).toEqual([0, 10_000])
    expect(none.hundredths).toBe(7_500)
    const excused = { hundredths: null, isExcused: true }
    expect(totalFor([homework(1, null, true)], {}, excused).hundredths).toBeNull()
  })

  test('a cap of 80 % gives the whole share for 80 %, one of 120 % lets extra credit lift it', () => {
    const marks = [homework(1, 6_000), homework(2, 6_000)]
    expect(totalFor(marks, { capPercent: 80 }).groups[0]?.hundredths).toBe(4_500)
    const more = [homework(1, 12_000), homework(2, 12_500)]
    expect(totalFor(more, { capPercent: 80 }).groups[0]?.hundredths).toBe(6_000)
    expect(totalFor(more, { capPercent: 120 }).groups[0]?.hundredths).toBe(7_200)
  })

  test('extra credit adds without being part of the maximum', () => {
    const bonus = homework(2, 10_000)
    const made = totalOf(
      { outOf: null, decimals: 2 },
      [],
      [homework(1, 7_000).column, { ...bonus.column, max: 1_000, isExtra: true }],
      new Map([
        [1, { hundredths: 7_000, isExcused: false }],
        [2, { hundredths: 500, isExcused: false }],
      ]),
    )
    expect(made).toMatchObject({ hundredths: 7_500, max: 10_000 })
  })

  test('a column that counts nothing takes no share and is not dropped', () => {
    const empty = { ...homework(2, null), column: { ...homework(2, null).column, max: 0 } }
    const good = homework(3, 9_000)
    const weightless = { ...good, column: { ...good.column, weight: 0 } }
    const made = totalFor([homework(1, 5_000), empty, weightless], { dropLowest: 1 })
    expect(made.parts.map(({ share }) => share)).toEqual([6_000, 0, 0, 4_000])
    expect(made.hundredths).toBe(6_000)
  })
})
