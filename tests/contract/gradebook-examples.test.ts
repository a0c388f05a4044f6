/** The worked numbers of `docs/gradebook.md` are those of the rule. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  totalOf,
  type TotalColumn,
  type TotalGroup,
  type TotalMark,
  type TotalRule,
} from '#contract/gradebook-total'

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/gradebook.md'), 'utf8')

const group = (
  id: number,
  weight: number | null,
  change: Partial<TotalGroup> = {},
): TotalGroup => ({
  id,
  weight: weight === null ? null : weight * 100,
  dropLowest: 0,
  capPercent: 100,
  isExtra: false,
  ...change,
})

/** Columns with ids from 1. */
const columnsOf = (...columns: [groupId: number, max: number, change?: Partial<TotalColumn>][]) =>
  columns.map(([groupId, max, change], index): TotalColumn => ({
    id: index + 1,
    groupId,
    max: max * 100,
    weight: null,
    isExtra: false,
    ...change,
  }))

/** The marks of the columns in order; `EX`: excused. */
const marksOf = (...marks: (number | 'EX')[]) =>
  new Map(
    marks.map((mark, index): [number, TotalMark] => [
      index + 1,
      mark === 'EX'
        ? { hundredths: null, isExcused: true }
        : { hundredths: Math.round(mark * 100), isExcused: false },
    ]),
  )

const HUNDRED: TotalRule = { outOf: 10_000, decimals: 2 }
const SUM: TotalRule = { outOf: null, decimals: 2 }
const DROP = { dropLowest: 1 }
const HOMEWORKS = columnsOf([1, 100], [1, 100], [1, 50], [2, 20])
const TENS = columnsOf([1, 10], [1, 10], [1, 10], [2, 100])
const EXTRA = columnsOf([1, 10], [1, 10], [1, 10, { isExtra: true, weight: 200 }], [2, 100])
const EXTRA_GROUP = [group(1, 100), group(2, 5, { isExtra: true })]
const EXTRA_COLUMNS = columnsOf([1, 100], [2, 10])

interface Example {
  /** What the page says. */
  text: string
  rule?: TotalRule
  groups: TotalGroup[]
  columns?: TotalColumn[]
  marks: (number | 'EX')[]
  total: number
}

const EXAMPLES: Example[] = [
  { text: '= 195 of 270', rule: SUM, groups: [], marks: [90, 40, 50, 15], total: 195 },
  {
    text: '= 73.2 of 100',
    groups: [group(1, 60), group(2, 40)],
    marks: [90, 40, 50, 15],
    total: 73.2,
  },
  {
    text: '= 86 of 100',
    groups: [group(1, 60, DROP), group(2, 40)],
    marks: [90, 40, 50, 15],
    total: 86,
  },
  {
    text: '= 90 of 100',
    groups: [group(1, 60, DROP), group(2, 40)],
    marks: ['EX', 40, 50, 15],
    total: 90,
  },
  {
    text: '= 93.33 of 100',
    groups: [group(1, 60, DROP), group(2, 40)],
    marks: [90, 40, 50, 'EX'],
    total: 93.33,
  },
  {
    text: '= 216.67 of 240',
    rule: SUM,
    groups: [group(1, null, DROP), group(2, 40)],
    marks: [90, 40, 50, 15],
    total: 216.67,
  },
  {
    text: '12 ÷ 0.8 = 15; with 40: 55',
    groups: [group(1, 20, { capPercent: 80 }), group(2, 80)],
    columns: TENS,
    marks: [6, 6, 6, 50],
    total: 55,
  },
  {
    text: 'at most 20; with 40: 60',
    groups: [group(1, 20), group(2, 80)],
    columns: EXTRA,
    marks: [10, 9, 10, 50],
    total: 60,
  },
  {
    text: 'at most 22; with 40: 62',
    groups: [group(1, 20, { capPercent: 110 }), group(2, 80)],
    columns: EXTRA,
    marks: [10, 10, 10, 50],
    total: 62,
  },
  {
    text: 'at most 21; with 40: 61',
    groups: [group(1, 20, { capPercent: 105 }), group(2, 80)],
    columns: EXTRA,
    marks: [10, 10, 10, 50],
    total: 61,
  },
  {
    text: '= 82.5 of 100',
    groups: EXTRA_GROUP,
    columns: EXTRA_COLUMNS,
    marks: [80, 5],
    total: 82.5,
  },
  {
    text: 'With 98 and 10 the total is 100',
    groups: EXTRA_GROUP,
    columns: EXTRA_COLUMNS,
    marks: [98, 10],
    total: 100,
  },
  {
    text: '86.5 becomes 87',
    rule: { outOf: 10_000, decimals: 0 },
    groups: [group(1, 60, DROP), group(2, 40)],
    marks: [91.25, 40, 50, 15],
    total: 87,
  },
]

describe('the page about gradebooks', () => {
  test.each(EXAMPLES)('says rightly: $text', (example) => {
    const { text, rule = HUNDRED, groups, columns = HOMEWORKS, marks, total } = example
    expect(PAGE).toContain(text)
    expect(totalOf(rule, groups, columns, marksOf(...marks)).hundredths).toBe(
      Math.round(total * 100),
    )
  })

  test('says rightly how ten points are shared by three columns', () => {
    const { parts } = totalOf(
      { outOf: 1_000, decimals: 2 },
      [group(1, 10)],
      TENS.slice(0, 3),
      marksOf(10, 10, 10),
    )
    expect(PAGE).toContain('3.33, 3.34 and 3.33')
    expect(parts.map(({ hundredths }) => hundredths)).toEqual([333, 334, 333])
  })
})
