/** What staff see of a homework as a whole: the distribution of marks, tries, times, labels, and who has not begun. */
import { describe, expect, it } from 'vitest'
import type { HomeworkStatistics } from '#contract/gradebook'
import type { Homework } from '#contract/homeworks'
import { statisticsQuery } from '../../web/features/homeworks/api.ts'
import { HomeworkStatsPage } from '../../web/features/homeworks/stats-page.tsx'
import { homeworkQuery } from '../../web/lib/queries/homework-dates.ts'
import { datesAt, plainRules } from './fixtures/dates.ts'
import { controlsOf, COURSE, idOf, person, render, rowsOf, textOf } from './fixtures/rendered.tsx'
import type { Scene } from './fixtures/rendered.tsx'

const DAY = 86_400
const NOW = Math.floor(Date.now() / 1_000)

const homework = (due: number): Homework => ({
  id: idOf(1),
  name: 'Loops',
  course: COURSE.course,
  start: NOW - 9 * DAY,
  end: due,
  ...plainRules([7]),
  own: datesAt(NOW - 9 * DAY, due),
  markdown: '',
  problemIds: [7],
  problems: [{ problemId: 7, problemName: 'Sum' }],
  scoreboardStatus: 1,
  scoreboardNames: false,
  status: 'running',
  studentStatus: new Map(),
  marks: new Map(),
})

const SPREAD = { count: 3, min: 10, lower: 20.5, median: 40, upper: 45, max: 50, mean: 36.67 }

const STATISTICS: HomeworkStatistics = {
  students: 4,
  max: 50,
  marks: {
    bars: Array.from({ length: 11 }, (_, index) => ({ from: index * 10, count: index })),
    spread: SPREAD,
  },
  problems: [
    {
      problemId: 7,
      name: 'Sum',
      max: 50,
      tried: 3,
      solved: 2,
      tries: [
        { tries: 1, count: 1 },
        { tries: 4, count: 1 },
      ],
      marks: SPREAD,
    },
    { problemId: 8, name: 'Tree', max: 20, tried: 0, solved: 0, tries: [], marks: null },
  ],
  hoursBefore: [
    { hours: -30, count: 1 },
    { hours: -1, count: 2 },
    { hours: 0, count: 3 },
    { hours: 2, count: 4 },
    { hours: 47, count: 5 },
    { hours: 200, count: 6 },
  ],
  byLabel: [
    { label: 'Lab A', marks: { ...SPREAD, median: 80, lower: 60, upper: 95.5 } },
    { label: 'Lab B', marks: null },
  ],
  notBegun: [],
}

const LABELS = [{ id: 5, name: 'Lab A', shown: true }]

interface Shown extends Scene {
  due?: number
  query?: string
}

/** The page with its statistics. */
function statsOf(change: Partial<HomeworkStatistics>, shown: Shown = {}): string {
  const { due = NOW + 5 * DAY, query = '', course } = shown
  const label = new URLSearchParams(query).get('label') ?? ''
  return render(<HomeworkStatsPage />, {
    route: '/course/:name/homeworks/:homeworkId/stats',
    at: `/course/A%20B/homeworks/${idOf(1)}/stats${query}`,
    course: { role: 'ta', ...course },
    reads: [
      [homeworkQuery(idOf(1)), homework(due)],
      [statisticsQuery(idOf(1), label), { ...STATISTICS, ...change }],
    ],
  })
}

/** The rows behind those of the scoreboard. */
const rowsBehind = (markup: string) => rowsOf(markup).slice(3)

describe('the statistics of a homework', () => {
  it('have each plot as a table, and the numbers of the marks', () => {
    const markup = statsOf({})
    expect(rowsBehind(markup)).toEqual([
      'Per cent of the points Students',
      ...Array.from({ length: 10 }, (_, index) => `${index * 10}–${index * 10 + 9} ${index}`),
      '100 10',
      'Problem Tried Solved Median',
      '#7 Sum 3 2 40 of 50',
      '#8 Tree 0 0',
      'Tries Students',
      '1 1',
      '4 1',
      'Before the due time Programs',
      'over 24 h late 1',
      'up to 24 h late 2',
      '0–1 h 3',
      '1–3 h 4',
      '3–6 h 0',
      '6–12 h 0',
      '12–24 h 0',
      '24–48 h 5',
      '48–96 h 0',
      'over 96 h 6',
      'Label Students Median Middle half',
      'Lab A 3 80 % 60–95.5 %',
      'Lab B 0',
    ])
    expect(textOf(markup)).toContain(
      'Students 4 Median 40 of 50 Mean 36.67 Middle half 20.5–45 Lowest to highest 10–50',
    )
    expect(textOf(markup)).toContain('Tries until solved: #7 Sum')
    expect(textOf(markup)).not.toContain('Tries until solved: #8 Tree')
  })

  it('are of the label in the address', () => {
    const course = { labels: LABELS }
    const markup = statsOf({ students: 21 }, { query: '?label=5', course })
    expect(textOf(markup)).toContain('Students 21')
  })

  it('leave the sums of the board to a time window, and to those without a label', () => {
    for (const query of ['?label=none', '?start=60']) {
      const text = textOf(statsOf({}, { query, course: { labels: LABELS } }))
      expect(text).not.toContain('Marks in per cent')
    }
    expect(textOf(statsOf({}, { query: '?label=none', course: { labels: LABELS } }))).toContain(
      'Sums',
    )
  })

  it('say nothing of marks where there are none', () => {
    const text = textOf(statsOf({ marks: { bars: [], spread: null }, byLabel: [] }))
    expect(text).not.toContain('Median 40')
    expect(text).not.toContain('Marks by label')
  })
})

describe('who has not begun', () => {
  const people = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      user: person(`s${index}`),
      email: `s${index}+x@example.org`,
    }))
  const soon = { due: NOW + 2 * DAY - 60 }

  it('is listed from two days before the due time on', () => {
    const notBegun = people(1)
    expect(textOf(statsOf({ notBegun }, soon))).toContain('1 student has not begun')
    expect(textOf(statsOf({ notBegun }, { due: NOW - 9 }))).toContain('1 student has not begun')
    expect(textOf(statsOf({ notBegun }, { due: NOW + 2 * DAY + 600 }))).not.toContain('not begun')
    expect(textOf(statsOf({}, soon))).not.toContain('not begun')
  })

  it('gets a mail that shows nobody the others, while the link is short', () => {
    expect(controlsOf(statsOf({ notBegun: people(2) }, soon))).toMatchObject({
      'Write to them': 'mailto:?bcc=s0%2Bx%40example.org,s1%2Bx%40example.org',
    })
    expect(controlsOf(statsOf({ notBegun: people(40) }, soon))).toHaveProperty('Write to them')
    const many = controlsOf(statsOf({ notBegun: people(41) }, soon))
    expect(many).toHaveProperty('Copy 41 addresses')
    expect(many).not.toHaveProperty('Write to them')
  })

  it('is named where there is no address', () => {
    const nobody = { user: person('zoe', 'Zoe Lu'), email: null }
    const teacher = { ...soon, course: { role: 'teacher' } } as const
    const some = statsOf({ notBegun: [...people(1), nobody] }, teacher)
    expect(textOf(some)).toContain('You do not see an address of these students: Zoe Lu.')
    expect(controlsOf(some)).toMatchObject({ 'Write to them': 'mailto:?bcc=s0%2Bx%40example.org' })
    expect(controlsOf(statsOf({ notBegun: [nobody] }, teacher))).not.toHaveProperty('Write to them')
  })

  it('has no addresses for assistants', () => {
    const notBegun = people(2).map(({ user }) => ({ user, email: null }))
    const text = textOf(statsOf({ notBegun }, soon))
    expect(text).toContain('2 students have not begun')
    expect(text).not.toMatch(/address|email/i)
  })
})
