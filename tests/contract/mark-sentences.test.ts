/** Marks told in sentences, with worked numbers. */
import { describe, expect, test } from 'vitest'
import type { ExplainedMark } from '#contract/gradebook'
import {
  deductionOf,
  percentLeft,
  pointsFor,
  valueOf,
  type LateRule,
} from '#contract/homework-dates'
import type { ProblemDerivation } from '#contract/mark-derivation'
import { markSentences, markSentenceText, type ToldMark } from '#contract/mark-sentences'
import { formatDuration, formatTime } from '#contract/time-text'

const HOUR = 3_600
const AT = Date.UTC(2026, 10, 20, 13, 5) / 1_000
const ID = '0'.repeat(24)

const FORMAT = {
  time: (at: number) => formatTime(at, 'UTC'),
  duration: (seconds: number) => formatDuration(seconds, 'en'),
}

const column: ExplainedMark['column'] = {
  id: 1,
  kind: 'homework',
  homeworkId: ID,
  name: 'Loops',
  max: 100,
  groupId: null,
  weight: null,
  extra: false,
  shown: 'yes',
}

/** A mark without anything, with changes. */
function markWith(changes: Partial<ToldMark>): ToldMark {
  return {
    column,
    points: null,
    excused: false,
    derivation: null,
    problems: [
      { problemId: 1, name: 'Sums' },
      { problemId: 2, name: 'Primes' },
    ],
    given: [],
    setting: null,
    why: null,
    part: null,
    parts: [],
    groups: [],
    isPartial: false,
    ...changes,
  }
}

const told = (changes: Partial<ToldMark>) =>
  markSentences(markWith(changes)).map((each) => markSentenceText(each, FORMAT))

const noProblem: ProblemDerivation = {
  problemId: 1,
  points: 10_000,
  submissionId: null,
  nth: null,
  at: null,
  score: null,
  lateSeconds: 0,
  left: 100,
  how: 'multiply',
  computed: null,
  isKept: false,
  isGiven: false,
  hundredths: null,
}

const DATES = { opens: 0, due: AT, closes: AT + 90 * HOUR, graceMinutes: 0, latePercent: null }

/** The seventh try at a problem, computed by the rules of homeworks. */
function tried(
  score: number,
  lateSeconds: number,
  rule: LateRule,
  points = 100,
): ProblemDerivation {
  const at = AT + lateSeconds
  const value = valueOf({ at, score }, { ...DATES, excused: false, quota: null }, rule) ?? 0
  const computed = Math.round(pointsFor(value, points) * 100)
  const { left } = lateSeconds > 0 ? percentLeft(rule, null, lateSeconds) : { left: 100 }
  return {
    ...noProblem,
    points: points * 100,
    submissionId: ID,
    nth: 7,
    at,
    score,
    lateSeconds,
    left,
    how: deductionOf(rule, null),
    computed,
    hundredths: computed,
  }
}

const derived = (problems: ProblemDerivation[], changes: object = {}): Partial<ToldMark> => ({
  derivation: { problems, added: null, lateDays: 0, excusedBy: null, isSet: false, ...changes },
})

const NONE: LateRule = { kind: 'none' }
const STEPS: LateRule = { kind: 'steps', steps: [{ afterHours: 0, percent: 90 }] }
const by = (how: 'subtract' | 'cap'): LateRule => ({
  kind: 'units',
  unitMinutes: 60,
  percent: 2,
  how,
  floor: 0,
})
const FIRST = 'Sums: try 7 counts, handed in at 2026-11-20'
const staff = { comment: 'Good style', by: 'ta', at: AT }
const set = { points: 75, excused: false, reason: 'idea is right', by: 'ta', at: AT }

describe('a problem', () => {
  test('in time', () => {
    expect(told(derived([tried(80, 0, STEPS)]))).toEqual([
      `${FIRST} 13:05.`,
      'It came in time with 80 points: 80 of 100.',
    ])
    expect(told(derived([tried(80, 0, STEPS, 40)]))[1]).toBe(
      'It came in time with 80 points: 80 × 40 / 100 = 32 of 40.',
    )
  })

  test.each([
    [NONE, 100, 'It has 80 points and came 5 hours late, which costs nothing: 80 of 100.'],
    [STEPS, 100, 'It has 80 points and came 5 hours late: 80 × 0.9 = 72 of 100.'],
    [STEPS, 12.5, 'It has 80 points and came 5 hours late: (80 × 0.9) × 12.5 / 100 = 9 of 12.5.'],
    [
      by('subtract'),
      100,
      'It has 80 points and came 5 hours late, which takes 10: 80 − 10 = 70 of 100.',
    ],
    [
      by('cap'),
      100,
      'It has 80 points and came 5 hours late, so at most 90 count: min(80, 90) = 80 of 100.',
    ],
  ])('late by the rule %j, worth %d points', (rule, points, sentence) => {
    expect(told(derived([tried(80, 5 * HOUR, rule, points)]))).toEqual([
      `${FIRST} 18:05.`,
      sentence,
    ])
  })

  test('whose try nobody has counted, or without a submission', () => {
    expect(told(derived([{ ...tried(80, 0, NONE), nth: null }]))[0]).toBe(
      'Sums: the submission handed in at 2026-11-20 13:05 counts.',
    )
    expect(told(derived([noProblem]))).toEqual([
      'Sums: no submission counts, so it has 0 of 100 points.',
    ])
  })

  test('with a kept mark', () => {
    const kept = { ...noProblem, computed: 8_050, hundredths: 8_050, isKept: true }
    expect(told(derived([kept]))).toEqual([
      'Sums: 80.5 of 100 points stay from before its dates changed, until staff confirm the change.',
    ])
  })

  test('for which staff gave points', () => {
    const given = { ...noProblem, hundredths: 7_500, isGiven: true }
    expect(told(derived([given]))).toEqual(['Sums: staff gave 75 of 100 points, which count.'])
    const late = { ...tried(80, 5 * HOUR, STEPS), hundredths: 7_500, isGiven: true }
    expect(told({ ...derived([late]), given: [{ problemId: 1, points: 75, ...staff }] })).toEqual([
      `${FIRST} 18:05.`,
      'It has 80 points and came 5 hours late: 80 × 0.9 = 72 of 100.',
      'Sums: staff gave 75 of 100 points, which count: “Good style”.',
    ])
  })
})

describe('a homework', () => {
  test('of several problems, with points added and late days', () => {
    const second = { ...noProblem, problemId: 2, points: 6_000 }
    const mark = derived([tried(80, 0, NONE, 40), second], { added: 250, lateDays: 2 })
    expect(told({ ...mark, given: [{ problemId: null, points: 2.5, ...staff }] })).toEqual([
      `${FIRST} 13:05.`,
      'It came in time with 80 points: 80 × 40 / 100 = 32 of 40.',
      'Primes: no submission counts, so it has 0 of 60 points.',
      'Staff added 2.5 points to the homework: “Good style”.',
      'Together that is 34.5 of 100 points.',
      'Late days used here: 2.',
    ])
  })

  test('without anything', () => {
    expect(told({})).toEqual(['Nothing that counts has been handed in yet.'])
  })

  test('whose mark staff set', () => {
    const mark = { ...derived([tried(80, 0, NONE)], { isSet: true }), points: 75, setting: set }
    expect(told(mark).at(-1)).toBe('Staff set 75 of 100 points, which count: “idea is right”.')
    expect(told({ ...mark, setting: { ...set, reason: '' } }).at(-1)).toBe(
      'Staff set 75 of 100 points, which count.',
    )
  })

  test('from which the dates or staff excused the student', () => {
    const excused = (excusedBy: 'dates' | 'staff') => ({
      ...derived([], { excusedBy }),
      excused: true,
      why: 'Ill',
      setting: { ...set, points: null, excused: true, reason: 'Abroad' },
    })
    expect(told(excused('dates'))).toEqual(['Staff excused this mark: “Ill”.'])
    expect(told(excused('staff'))).toEqual(['Staff excused this mark: “Abroad”.'])
    expect(told({ ...excused('dates'), why: null })).toEqual(['Staff excused this mark.'])
  })
})

test('a column that staff fill', () => {
  const manual = { ...column, kind: 'manual' as const, homeworkId: null, max: 20 }
  expect(told({ column: manual })).toEqual(['Staff have not entered a mark yet.'])
  const mark = { column: manual, ...derived([], { isSet: true }), points: 12.5 }
  expect(told({ ...mark, setting: { ...set, points: 12.5, reason: '' } })).toEqual([
    'Staff set 12.5 of 20 points, which count.',
  ])
})

const part = { columnId: 1, groupId: 1, name: 'Loops', share: 10, points: 7.5 }

test.each([
  ['counts', 'It adds 7.5 of 10 points to the total.'],
  ['extra', 'It adds 7.5 points to the total as extra credit.'],
  ['dropped', 'The total drops it as one of the lowest of its group.'],
  ['excused', 'The total leaves it out.'],
] as const)('a part of the total that is %s', (fate, sentence) => {
  expect(told({ part: { ...part, fate } }).at(-1)).toBe(sentence)
})

describe('the total', () => {
  const total = { ...column, kind: 'total' as const, homeworkId: null, name: '' }
  const group = {
    groupId: 1,
    name: 'Homeworks',
    share: 60,
    sum: 45,
    points: 45,
    capPercent: 100,
    extra: false,
  }

  test.each([
    [{}, 'Homeworks adds 45 of 60 points.'],
    [{ extra: true }, 'Homeworks adds 45 points as extra credit.'],
    [
      { capPercent: 80, points: 56.25 },
      'Homeworks has 45 of 60 points and adds 56.25: 80 % of its points are enough.',
    ],
    [
      { capPercent: 120, sum: 80, points: 72 },
      'Homeworks has 80 points and adds 72, the most that it can add.',
    ],
    [
      { share: 0, sum: 0, points: 0 },
      'Homeworks does not count, because none of its columns does.',
    ],
    [{ name: null }, 'The columns add 45 of 60 points.'],
    [{ name: null, sum: 70, points: 60 }, 'The columns have 70 points, of which at most 60 count.'],
  ])('has a group %j', (changes, sentence) => {
    expect(told({ column: total, points: 45, groups: [{ ...group, ...changes }] })[0]).toBe(
      sentence,
    )
  })

  test('names what a group drops', () => {
    const parts = [
      { ...part, fate: 'dropped' as const },
      { ...part, columnId: 2, groupId: 2, name: 'Other', fate: 'dropped' as const },
    ]
    expect(told({ column: total, points: 45, groups: [group], parts })[0]).toBe(
      'Homeworks drops Loops.',
    )
  })

  test.each([
    [{ points: 45 }, 'Together that is 45 of 100 points.'],
    [{ points: 46 }, 'Together that is 45 points, rounded to 46 of 100.'],
    [
      { points: 40, column: { ...total, max: 40 } },
      'Together that is 45 points, of which at most 40 count.',
    ],
    [{ points: 45, isPartial: true }, 'Marks that are not shown yet count 0 here.'],
    [{ points: null }, 'No column counts yet.'],
  ])('ends with %j', (changes, sentence) => {
    expect(told({ column: total, groups: [group], ...changes }).at(-1)).toBe(sentence)
  })
})
