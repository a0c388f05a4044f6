/** What students and staff read about late days, and what the form of staff sends. */
import { createInstance } from 'i18next'
import { describe, expect, it } from 'vitest'
import type { LateRule } from '#contract/homework-dates'
import type { Homework, HomeworkMark } from '#contract/homeworks'
import { withLateDays } from '#contract/late-day-spending'
import type { LateDayRule, LateDayTable } from '#contract/late-days'
import type { ProblemHomework } from '#contract/problems'
import {
  derivationWithDays,
  lateDayExample,
  lateDayRuleSentences,
  lateDaysSentence,
} from '../../web/components/homeworks/late-days.ts'
import { LateDates } from '../../web/components/homeworks/late-dates.tsx'
import { LateDaysLine } from '../../web/components/homeworks/late-days-line.tsx'
import { LateDaysNow } from '../../web/components/homeworks/late-days-now.tsx'
import {
  newBudget,
  ruleOf,
  toBudgets,
  toBudgetsValues,
} from '../../web/features/late-days/budget-values.ts'
import { LateDaysPage } from '../../web/features/late-days/late-days-page.tsx'
import { LateCounts } from '../../web/features/submissions/late-counts.tsx'
import { formatDeadline, zoneName } from '../../web/lib/format/format.ts'
import { homeworksQuery } from '../../web/lib/queries/course-homeworks.ts'
import { lateDaysQuery } from '../../web/lib/queries/late-days.ts'
import { chinese, english } from './fixtures/catalogues.ts'
import { datesAt, plainRules } from './fixtures/dates.ts'
import { controlsOf, COURSE, idOf, person, render, rowsOf, textOf } from './fixtures/rendered.tsx'
import type { Scene } from './fixtures/rendered.tsx'

const DAY = 86_400
const NOW = Math.floor(Date.now() / 1_000)
const at = (seconds: number) => `${formatDeadline(seconds)} ${zoneName(seconds)}`

const i18n = createInstance()
await i18n.init({
  resources: { en: { translation: english }, 'zh-TW': { translation: chinese } },
  interpolation: { escapeValue: false, prefix: '{', suffix: '}' },
})
const t = i18n.getFixedT('en')

const RULE: LateDayRule = {
  name: 'Slip days',
  size: 5,
  mostEach: 2,
  spending: 'auto',
  movesClosing: true,
}
const ASKED: LateDayRule = { ...RULE, spending: 'asked', movesClosing: false }

describe('the sentences', () => {
  it('say how many days are left, and what the homework uses and gains', () => {
    const sentence = (used: number, left: number, gain: number | null, size = 5) =>
      lateDaysSentence({ size }, { used, left, gain }, t)
    expect(sentence(0, 5, 0)).toBe('5 of 5 late days left.')
    expect(sentence(1, 2, 12)).toBe(
      '2 of 5 late days left; this homework uses 1, as it gains 12 points.',
    )
    expect(sentence(1, 0, 1, 1)).toBe(
      '0 of 1 late day left; this homework uses 1, as it gains 1 point.',
    )
    expect(sentence(2, 3, 7.5)).toContain('uses 2, as it gains 7.5 points.')
    expect(sentence(1, 2, null)).toBe('2 of 5 late days left; this homework uses 1.')
    const inChinese = i18n.getFixedT('zh-TW')
    expect(lateDaysSentence(RULE, { used: 1, left: 2, gain: 12 }, inChinese)).toBe(
      '緩交天數還剩 2 天（共 5 天）；這份作業用了 1 天，因此多得 12 分。',
    )
  })

  it('say what a rule means, with an example that fits its numbers', () => {
    expect(lateDayRuleSentences(RULE, t)).toEqual([
      'Each student has 5 late days, at most 2 in one homework.',
      'Late days are used by themselves, where they gain the most points.',
      'A late day moves the due time and the closing time by 24 hours.',
    ])
    expect(lateDayRuleSentences({ ...ASKED, mostEach: 5 }, t)).toEqual([
      'Each student has 5 late days.',
      'Late days count only in homeworks where the student asked for them before closing.',
      'A late day moves the due time by 24 hours; a later closing time stays.',
    ])
    expect(lateDayExample(RULE, t)).toBe(
      'Example: work 30 hours late uses 2 late days and counts in full; 3 of 5 are left.',
    )
    expect(lateDayExample({ ...ASKED, mostEach: 1 }, t)).toBe(
      'Example: a student asks for 1 late day; work 6 hours late then counts in full.',
    )
  })
})

describe('dates with late days', () => {
  const dates = datesAt(0, 10 * DAY, { closes: 11 * DAY, graceMinutes: 10 })

  it('are due later, and close later only if the rule says so or the grace asks it', () => {
    expect(withLateDays(dates, 2, true)).toMatchObject({ due: 12 * DAY, closes: 13 * DAY })
    expect(withLateDays(dates, 1, false)).toMatchObject({ due: 11 * DAY, closes: 11 * DAY + 600 })
    expect(withLateDays({ ...dates, closes: 20 * DAY }, 2, false).closes).toBe(20 * DAY)
    expect(withLateDays(dates, 0, true)).toEqual(dates)
  })

  it('derive a mark from the moved due time', () => {
    const lateRule: LateRule = { kind: 'steps', steps: [{ afterHours: 0, percent: 50 }] }
    const derived = (lateSeconds: number, used: number) =>
      derivationWithDays(
        { at: 10 * DAY + lateSeconds, score: 80 },
        { own: { ...dates, why: null, graceMinutes: 0 }, lateRule, points: 100 },
        { used, movesClosing: true },
        t,
        'en',
      )
    expect(derived(DAY / 2, 1)).toBe(
      `1 late day: due moved to ${formatDeadline(11 * DAY)}. 80 points in time count in full.`,
    )
    expect(derived(DAY + 3_600, 1)).toBe(
      `1 late day: due moved to ${formatDeadline(11 * DAY)}. 80 points, 1 hour late: 80 × 0.5 = 40`,
    )
    expect(derived(DAY / 2, 0)).toBe('80 points, 12 hours late: 80 × 0.5 = 40')
    expect(derived(-1, 1)).toBe('80 points in time count in full.')
    expect(derived(3 * DAY, 1)).toBeNull()
  })
})

const [START, END] = [NOW - DAY, NOW + 2 * DAY]
const HOMEWORK: Homework = {
  id: idOf(1),
  name: 'Loops',
  course: COURSE.course,
  start: START,
  end: END,
  ...plainRules([7]),
  lateDays: RULE,
  own: datesAt(START, END),
  markdown: '',
  problemIds: [7],
  problems: [{ problemId: 7, problemName: 'Sum' }],
  scoreboardStatus: 1,
  scoreboardNames: false,
  status: 'running',
  studentStatus: new Map(),
  marks: new Map(),
}
const markWith = (used: number, left: number, asked: number): HomeworkMark => ({
  sum: 0,
  excused: false,
  given: null,
  lateDays: { used, left, asked, gain: used * 12 },
})

describe('a homework with late days', () => {
  const line = (change: Partial<Homework>, mark: HomeworkMark | null, course = {}) =>
    render(<LateDaysLine homework={{ ...HOMEWORK, ...change }} mark={mark} />, { course })
  const choices = (markup: string) =>
    [...markup.matchAll(/aria-pressed="(\w+)"[^]*?<span[^>]*>(\d+)<\/span>/g)].map(
      ([, pressed, days]) => (pressed === 'true' ? `[${days}]` : days),
    )

  it('says to a student what it uses, to staff the rule, and links to all of them', () => {
    const own = line({}, markWith(1, 2, 0))
    expect(textOf(own)).toContain(
      'Slip days : 2 of 5 late days left; this homework uses 1, as it gains 12 points.',
    )
    expect(controlsOf(own)).toEqual({ 'Slip days': '/course/A%20B/late-days' })
    expect(textOf(line({}, null))).toContain('at most 2 in one homework.')
    expect(line({ lateDays: null }, markWith(0, 5, 0))).toBe('')
    expect(line({ own: datesAt(START, END, { excused: true }) }, markWith(0, 5, 0))).toBe('')
  })

  it('lets a student ask for days while it runs, and says until when work then counts', () => {
    const asked = line({ lateDays: ASKED }, markWith(0, 5, 1))
    expect(choices(asked)).toEqual(['0', '[1]', '2'])
    expect(textOf(asked)).toContain(`With 1 late day, work counts in full until ${at(END + DAY)}.`)
    const rest = [
      line({}, markWith(0, 5, 0)),
      line({ lateDays: ASKED }, null),
      line({ lateDays: ASKED, own: datesAt(START, NOW - 60) }, markWith(0, 5, 1)),
      line({ lateDays: ASKED }, markWith(0, 5, 1), { closedAt: NOW }),
    ]
    for (const markup of rest) expect(choices(markup)).toEqual([])
  })
})

const TABLE: LateDayTable = {
  budgets: [{ id: 4, ...RULE, homeworkIds: [idOf(1)] }],
  people: [
    {
      user: person('ann', 'Ann Lee'),
      budgets: [{ left: 4, uses: [{ homeworkId: idOf(1), name: 'Loops', days: 1, gain: 12 }] }],
    },
    { user: person('bob'), budgets: [{ left: 5, uses: [] }] },
  ],
}
const OWN: LateDayTable = { ...TABLE, people: TABLE.people.slice(0, 1) }

describe('the late days of a course', () => {
  const page = (table: LateDayTable, role: 'student' | 'ta') =>
    render(<LateDaysPage />, {
      route: '/course/:name/late-days',
      at: '/course/A%20B/late-days',
      course: { role },
      reads: [
        [lateDaysQuery(COURSE.course), table],
        [homeworksQuery(COURSE.course), [HOMEWORK, { ...HOMEWORK, id: idOf(2), name: 'Trees' }]],
      ],
    })

  it('show staff a form with what it means, and how everybody uses them', () => {
    const markup = page(TABLE, 'ta')
    expect(textOf(markup)).toContain('Example: work 30 hours late uses 2 late days')
    expect(markup).toContain('value="Slip days"')
    expect(rowsOf(markup)).toEqual([
      'Student Slip days',
      'Ann Lee ann 4 of 5 left. Loops uses 1, as it gains 12 points.',
      'bob 5 of 5 left.',
    ])
    expect(controlsOf(markup)).toMatchObject({
      'Remove Slip days': undefined,
      'Add late days': undefined,
      Save: undefined,
    })
    const none = page({ budgets: [], people: [] }, 'ta')
    expect(rowsOf(none)).toEqual([])
    expect(controlsOf(none)).toHaveProperty('Add late days')
  })

  it('show students their own, without a form', () => {
    const markup = page(OWN, 'student')
    expect(textOf(markup)).toContain(
      'Slip days 4 of 5 left. Loops uses 1, as it gains 12 points. Each student has 5 late days',
    )
    expect(textOf(markup)).toContain('In: Loops')
    expect(controlsOf(markup)).not.toHaveProperty('Save')
    expect(textOf(page({ budgets: [], people: [] }, 'student'))).toContain('no late days')
  })

  const markedAs = (mark: HomeworkMark, change: Partial<Homework> = {}): Homework => ({
    ...HOMEWORK,
    marks: new Map([['ann', mark]]),
    ...change,
  })
  const asAnn = (homeworks: Homework[]): Scene => ({
    user: { username: 'ann' },
    reads: [[homeworksQuery(COURSE.course), homeworks]],
  })

  it('are told beside the button that submits late work', () => {
    const now = (homeworks: Homework[]) =>
      textOf(render(<LateDaysNow homeworkId={idOf(1)} />, asAnn(homeworks)))
    expect(now([markedAs(markWith(1, 4, 0))])).toBe(
      'Slip days: Late days are used by themselves, where they gain the most points. ' +
        '4 of 5 late days left; this homework uses 1, as it gains 12 points.',
    )
    expect(now([HOMEWORK])).toBe('')
    expect(now([markedAs(markWith(1, 4, 0), { lateDays: null })])).toBe('')
  })

  const problemHomework = (due: number): ProblemHomework => {
    const { id, name, start, end, lateRule } = HOMEWORK
    return { id, name, start, end, own: datesAt(0, due), lateRule, counts: 'best', points: 100 }
  }

  it('move the closing time that a problem shows', () => {
    const extended = markedAs(markWith(0, 5, 0), {
      own: datesAt(0, NOW - 60, { closes: NOW + DAY }),
    })
    const closes = (homeworks: Homework[]) =>
      textOf(
        render(
          <LateDates homeworks={[problemHomework(NOW - 60)]}>
            {([only]) => `closes ${(only?.own.closes ?? 0) - NOW}`}
          </LateDates>,
          asAnn(homeworks),
        ),
      )
    expect(closes([extended])).toBe(`closes ${DAY}`)
    expect(closes([])).toBe('closes -60')
  })

  it('explain what a late submission counts', () => {
    const due = NOW - DAY
    const counts = (homeworks: Homework[]) =>
      render(
        <LateCounts homework={problemHomework(due)} scored={{ at: due + 3_600, score: 80 }}>
          Closed
        </LateCounts>,
        asAnn(homeworks),
      )
    expect(textOf(counts([markedAs(markWith(1, 4, 0))]))).toBe(
      `Loops: 1 late day: due moved to ${formatDeadline(NOW)}. 80 points in time count in full.`,
    )
    expect(textOf(counts([]))).toBe('Closed')
  })
})

describe('the form of late days', () => {
  it('sends what it was opened with, and new ones without an id', () => {
    const { budgets } = toBudgetsValues(TABLE.budgets)
    expect(toBudgets({ budgets })).toEqual({ budgets: TABLE.budgets })
    const added = toBudgets({ budgets: [...budgets, newBudget('Written work')] }).budgets[1]
    expect(added).toMatchObject({ id: null, name: 'Written work', homeworkIds: [] })
    expect(added).not.toHaveProperty('key')
  })

  it('explains no rule without its numbers', () => {
    expect(ruleOf({ ...newBudget('A'), size: '' })).toBeNull()
    expect(ruleOf(newBudget('A'))).toMatchObject({ size: 5, mostEach: 2 })
  })
})
