/** What dates and late rules mean, in sentences; and how points follow from a score. */
import { createInstance } from 'i18next'
import { describe, expect, it } from 'vitest'
import type { LateRule, OwnDates } from '#contract/homework-dates'
import type { ProblemHomework } from '#contract/problems'
import { LateRuleNote } from '../../web/components/homeworks/late-rule-note.tsx'
import { LateTimeline } from '../../web/components/homeworks/late-timeline.tsx'
import { isPlain, lateSentences } from '../../web/components/homeworks/late-rule.ts'
import { derivationOf } from '../../web/components/homeworks/mark-derivation.ts'
import { WhatCounts } from '../../web/components/homeworks/what-counts.tsx'
import { LATE_CHOICES } from '../../web/features/homeworks/late-values.ts'
import { formatDeadline, zoneName } from '../../web/lib/format/format.ts'
import { chinese, english } from './fixtures/catalogues.ts'
import { datesAt } from './fixtures/dates.ts'
import { idOf, render, textOf } from './fixtures/rendered.tsx'

const HOUR = 3_600
const DAY = 24 * HOUR
const DUE = Date.parse('2026-03-08T23:59:59Z') / 1_000
const at = (seconds: number) => `${formatDeadline(seconds)} ${zoneName(seconds)}`

const i18n = createInstance()
await i18n.init({
  resources: { en: { translation: english }, 'zh-TW': { translation: chinese } },
  interpolation: { escapeValue: false, prefix: '{', suffix: '}' },
})
const inEnglish = i18n.getFixedT('en')
const inChinese = i18n.getFixedT('zh-TW')

const NONE: LateRule = { kind: 'none' }
const HALF_DAYS = {
  kind: 'units',
  unitMinutes: 720,
  percent: 5,
  how: 'multiply',
  floor: 0,
} as const
const STEPS: LateRule = {
  kind: 'steps',
  steps: [
    { afterHours: 0, percent: 95 },
    { afterHours: 4, percent: 90 },
  ],
}

const termsOf = (
  lateRule: LateRule,
  change: Partial<OwnDates> = { closes: DUE + 3 * DAY },
  counts: 'best' | 'last' = 'best',
) => ({ own: datesAt(0, DUE, change), lateRule, counts })

/** The sentences before the last, which says which submission counts. */
const rulesOf = (...terms: Parameters<typeof termsOf>) =>
  lateSentences(termsOf(...terms), inEnglish, 'en').slice(0, -1)

describe('the sentences', () => {
  it('say until when work counts in full, what late work counts, and when nothing counts', () => {
    const daily = { ...HALF_DAYS, unitMinutes: 1_440, percent: 10 }
    const dates = `Work counts in full until ${at(DUE)}. Nothing counts after ${at(DUE + 3 * DAY)}. `
    const rule =
      'Each day begun takes 10 % off the score. The best submission counts, after deductions for lateness.'
    const note = <LateRuleNote terms={termsOf(daily)} />
    expect(textOf(render(note))).toBe(rule)
    expect(textOf(render(<LateRuleNote terms={termsOf(daily)} withDates />))).toBe(dates + rule)
  })

  it('say nothing of late work that does not count', () => {
    expect(lateSentences(termsOf(HALF_DAYS, {}, 'last'), inEnglish, 'en')).toEqual([
      'The last submission counts.',
    ])
    expect(lateSentences(termsOf(HALF_DAYS, {}), inEnglish, 'en').at(-1)).toBe(
      'The best submission counts.',
    )
  })

  it.each<[string, LateRule, string[]]>([
    ['none', NONE, ['Late work counts 100 % of its score.']],
    [
      'steps',
      STEPS,
      [
        'Late work counts 95 % of its score.',
        'Work more than 4 hours late counts 90 % of its score.',
      ],
    ],
    ['multiply', HALF_DAYS, ['Each 12 hours begun takes 5 % off the score.']],
    [
      'subtract',
      { ...HALF_DAYS, how: 'subtract', floor: 50 },
      ['Each 12 hours begun takes 5 points off the score.', 'It takes at most 50 points off.'],
    ],
    [
      'cap',
      { ...HALF_DAYS, how: 'cap', floor: 40 },
      [
        'Each 12 hours begun lowers the most that a score can count by 5 points.',
        'Up to 40 points always count.',
      ],
    ],
  ])('name a rule of the kind %s', (_, rule, said) => {
    expect(rulesOf(rule)).toEqual(said)
  })

  it('name the grace, and what staff have set in place of the rule', () => {
    expect(rulesOf(HALF_DAYS, { graceMinutes: 15, closes: DUE + 15 * 60 })).toEqual([
      'Work still counts in full for 15 minutes after the due time.',
    ])
    expect(rulesOf(HALF_DAYS, { latePercent: 80, closes: DUE + DAY })).toEqual([
      'Late work counts 80 % of its score.',
    ])
  })

  it('are also in Chinese, without blanks between them', () => {
    expect(lateSentences(termsOf(HALF_DAYS), inChinese, 'zh-TW')[0]).toMatch(
      /^每遲 12 ?小時扣得分的 5%，未滿亦計。$/,
    )
  })

  it('are needed unless the best submission counts and nothing late', () => {
    expect(isPlain(termsOf(HALF_DAYS, {}))).toBe(true)
    expect(isPlain(termsOf(NONE, {}, 'last'))).toBe(false)
    expect(isPlain(termsOf(NONE))).toBe(false)
  })
})

describe('the picture', () => {
  const drawn = (...terms: Parameters<typeof termsOf>) =>
    textOf(render(<LateTimeline terms={termsOf(...terms)} />))

  it('has what late work counts in one part after the other', () => {
    expect(drawn({ ...HALF_DAYS, unitMinutes: 1_440, percent: 10 })).toBe(
      '100 % 90 % 80 % 70 % 0 %',
    )
    expect(drawn(STEPS)).toBe('100 % 95 % 90 % 0 %')
    expect(drawn(NONE, {})).toBe('100 % 0 %')
    expect(drawn({ ...HALF_DAYS, floor: 90 })).toBe('100 % 95 % 90 % 0 %')
  })

  it('begins with the rate at the end of the grace, and ends with an ellipsis if there are many', () => {
    expect(drawn(STEPS, { graceMinutes: 5 * 60, closes: DUE + DAY })).toBe('100 % 90 % 0 %')
    expect(drawn({ ...HALF_DAYS, unitMinutes: 60 })).toBe(
      '100 % 95 % 90 % 85 % 80 % 75 % 70 % … 0 %',
    )
  })
})

describe('beside the button that submits', () => {
  const now = Math.floor(Date.now() / 1_000)
  const homework = (
    lateSeconds: number,
    change: Partial<ProblemHomework> = {},
  ): ProblemHomework => {
    const [start, end] = [0, now - lateSeconds]
    const own = datesAt(start, end, { closes: now + 2 * DAY })
    const rule = { lateRule: { ...HALF_DAYS, percent: 10 }, counts: 'best' as const, points: 100 }
    return { id: idOf(1), name: 'Loops', start, end, own, ...rule, ...change }
  }
  const shown = (...homeworks: ProblemHomework[]) =>
    textOf(render(<WhatCounts homeworks={homeworks} />))

  it('stands what counts, and what late work counts now', () => {
    expect(shown(homework(-DAY))).toBe('The best submission counts, after deductions for lateness.')
    expect(shown(homework(HOUR))).toBe('Late: a submission counts 90 % now.')
    expect(shown(homework(13 * HOUR, { counts: 'last' }))).toBe(
      'Late: a submission counts 80 % now. The last submission counts.',
    )
    const subtract = { lateRule: { ...HALF_DAYS, how: 'subtract' } } as const
    expect(shown(homework(HOUR, subtract))).toBe('Late: a submission loses 5 points now.')
    const cap = { lateRule: { ...HALF_DAYS, how: 'cap' } } as const
    expect(shown(homework(HOUR, cap))).toBe('Late: a submission counts at most 95 points now.')
  })

  it('stands a line for each answer, with the homeworks that run, and nothing of others', () => {
    const other = homework(HOUR, { id: idOf(2), name: 'Exam' })
    expect(shown(homework(-DAY), other)).toBe(
      'Loops: The best submission counts, after deductions for lateness. Exam: Late: a submission counts 90 % now.',
    )
    const quiz = homework(HOUR, { id: idOf(3), name: 'Quiz' })
    expect(shown(homework(-DAY), other, quiz)).toContain('Exam, Quiz: Late: ')
    expect(shown(other, quiz)).toBe('Late: a submission counts 90 % now.')
    expect(shown(homework(0, { own: datesAt(0, now - DAY) }))).toBe('')
    expect(shown(homework(-DAY, { own: datesAt(0, now + DAY, { excused: true }) }))).toBe('')
  })
})

describe('how a mark follows from a score', () => {
  const derived = (score: number, lateSeconds: number, lateRule: LateRule, points = 100) =>
    derivationOf(
      { at: DUE + lateSeconds, score },
      { own: datesAt(0, DUE, { closes: DUE + 3 * DAY }), lateRule, points },
      inEnglish,
      'en',
    )

  it('names the units begun and the calculation', () => {
    expect(derived(80, 25 * HOUR, HALF_DAYS)).toBe(
      '80 points, 1 day 1 hour late: 3 × 12 hours begun → 80 × 0.85 = 68',
    )
    expect(derived(80, HOUR, { ...HALF_DAYS, how: 'subtract' }, 50)).toBe(
      '80 points, 1 hour late: 1 × 12 hours begun → (80 − 5) × 50 / 100 = 37.5',
    )
    expect(derived(3, HOUR, { ...HALF_DAYS, how: 'subtract' })).toMatch(/→ max\(0, 3 − 5\) = 0$/)
    expect(derived(80, HOUR, { ...HALF_DAYS, unitMinutes: 1_440 })).toMatch(/: 1 × 1 day begun → /)
    expect(derived(98, HOUR, { ...HALF_DAYS, how: 'cap' })).toMatch(/→ min\(98, 95\) = 95$/)
  })

  it('has no units where there are none, and no lateness in time', () => {
    expect(derived(80, 5 * HOUR, STEPS)).toBe('80 points, 5 hours late: 80 × 0.9 = 72')
    expect(derived(80, 0, STEPS, 50)).toBe('80 points in time: 80 × 50 / 100 = 40')
    expect(derived(80, 0, STEPS)).toBe('80 points in time count in full.')
  })

  it('does not exist for what counts nothing', () => {
    expect(derived(80, 4 * DAY, STEPS)).toBeNull()
  })
})

it('every choice of the form has its text', () => {
  expect(Object.keys(english.homeworkForm.preset)).toEqual(LATE_CHOICES)
})
