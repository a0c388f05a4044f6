/** The homework form: the body that it sends, and how a stored homework fills it in again. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LateRule } from '#contract/homework-dates'
import { homework, homeworkForm, homeworkStatusAt, type HomeworkForm } from '#contract/homeworks'
import {
  emptyHomework,
  toBody,
  toValues,
  type HomeworkValues,
} from '../../web/features/homeworks/form-values.ts'
import { withChoice } from '../../web/features/homeworks/late-values.ts'
import { parseTime } from '../../web/lib/format/parse-time.ts'
import { datesAt } from './fixtures/dates.ts'

const HOUR = 3_600

/** The server's answer once it has stored a body. */
function storedOf(body: unknown) {
  const form = homeworkForm.parse(body)
  return homework.parse({
    ...form,
    points: form.points ?? form.problemIds.map(() => 100),
    id: '0'.repeat(24),
    course: 'Demo',
    courseCounts: 'best',
    lateDays: null,
    own: datesAt(form.start, form.end),
    problems: [],
    status: 'running',
    studentStatus: {},
    marks: {},
  })
}

const FILLED: HomeworkValues = {
  ...emptyHomework('Asia/Taipei'),
  name: ' Loops ',
  problemIds: ['7', '3'],
  points: { 3: 50 },
  start: '2026-03-01 08:00',
  end: '2026-03-08 23:59',
  graceMinutes: 15,
  counts: 'last',
  markdown: 'Read *chapter 3*.',
  scoreboard: 'names',
}
const END = parseTime('2026-03-08 23:59') + 59

it('each field of the form arrives in its own field of the body', () => {
  expect(toBody(FILLED)).toEqual({
    name: 'Loops',
    problemIds: [7, 3],
    points: [100, 50],
    start: parseTime('2026-03-01 08:00'),
    end: END,
    close: null,
    graceMinutes: 15,
    lateRule: { kind: 'none' },
    counts: 'last',
    markdown: 'Read *chapter 3*.',
    scoreboardStatus: 0,
    scoreboardNames: true,
  })
})

it('a homework that is due at 23:59 runs through the whole of that minute', () => {
  const { start: opens, end: closes } = toBody(FILLED)
  const midnight = parseTime('2026-03-09 00:00')
  expect(homeworkStatusAt({ opens, closes }, midnight - 1)).toBe('running')
  expect(homeworkStatusAt({ opens, closes }, midnight)).toBe('over')
})

it.each([
  { scoreboard: 'staff', scoreboardStatus: 1, scoreboardNames: false },
  { scoreboard: 'pseudonyms', scoreboardStatus: 0, scoreboardNames: false },
  { scoreboard: 'names', scoreboardStatus: 0, scoreboardNames: true },
] as const)('a scoreboard for $scoreboard is stored as such', ({ scoreboard, ...stored }) => {
  expect(toBody({ ...FILLED, scoreboard })).toMatchObject(stored)
  expect(toValues({ ...storedOf(toBody(FILLED)), ...stored }).scoreboard).toBe(scoreboard)
})

it('names that only staff would see leave the scoreboard to staff', () => {
  const kept = { scoreboardStatus: 1, scoreboardNames: true }
  expect(toValues({ ...storedOf(toBody(FILLED)), ...kept }).scoreboard).toBe('staff')
})

describe('late work', () => {
  const rules = {
    hard: { close: null, lateRule: { kind: 'none' } },
    full: { close: END + 168 * HOUR, lateRule: { kind: 'none' } },
    daily: {
      close: END + 72 * HOUR,
      lateRule: { kind: 'units', unitMinutes: 1_440, percent: 10, how: 'multiply', floor: 0 },
    },
    half: {
      close: END + 24 * HOUR,
      lateRule: { kind: 'steps', steps: [{ afterHours: 0, percent: 50 }] },
    },
  } as const

  it.each(Object.entries(rules))('by the preset "%s" has its close and its rule', (late, body) => {
    const values = withChoice(FILLED, late)
    expect(toBody(values)).toMatchObject(body)
    expect(toValues(storedOf(toBody(values))).late).toBe(late)
  })

  it('follows the due time while a preset is chosen', () => {
    const values = { ...withChoice(FILLED, 'half'), end: '2026-03-09 23:59' }
    expect(toBody(values).close).toBe(END + 48 * HOUR)
  })

  it('by an own rule starts with what the preset meant', () => {
    const own = withChoice(withChoice(FILLED, 'daily'), 'own')
    expect(own).toMatchObject({ late: 'own', ruleKind: 'units', unitAmount: 1, unit: 'days' })
    expect(toBody(own)).toMatchObject(rules.daily)
    expect(toBody({ ...own, unitAmount: 12, unit: 'hours' }).lateRule).toMatchObject({
      unitMinutes: 720,
    })
    expect(withChoice({ ...FILLED, end: 'soon' }, 'own').late).toBe('own')
  })

  it('lacks an empty number', () => {
    const own = { ...withChoice(withChoice(FILLED, 'daily'), 'own'), unitPercent: '' as const }
    const paths = homeworkForm
      .safeParse(toBody(own))
      .error?.issues.map(({ path }) => path.join('.'))
    expect(paths).toEqual(['lateRule.percent'])
  })
})

const percent = fc.integer({ min: 1, max: 100 })
const lateRule: fc.Arbitrary<LateRule> = fc.oneof(
  fc.constant({ kind: 'none' as const }),
  fc.record({
    kind: fc.constant('units' as const),
    unitMinutes: fc.integer({ min: 1, max: 20_000 }),
    percent,
    how: fc.constantFrom('multiply' as const, 'subtract' as const, 'cap' as const),
    floor: percent,
  }),
  fc.record({
    kind: fc.constant('steps' as const),
    steps: fc
      .uniqueArray(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 4 })
      .map((hours) =>
        hours
          .toSorted((left, right) => left - right)
          .map((afterHours, index) => ({ afterHours, percent: 90 - index })),
      ),
  }),
)

it('what is stored fills the form in, and the form sends the same again', () => {
  const minutes = fc.integer({ min: 0, max: 40_000_000 })
  const stored = fc
    .record({
      name: fc.string({ minLength: 1, maxLength: 20 }).filter((name) => name.trim() === name),
      problems: fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 9_999 }), percent), {
        selector: ([id]) => id,
      }),
      times: fc.tuple(minutes, minutes, minutes),
      second: fc.integer({ min: 0, max: 59 }),
      closes: fc.boolean(),
      graceMinutes: fc.integer({ min: 0, max: 1_440 }),
      counts: fc.constantFrom(null, 'best' as const, 'last' as const),
      lateRule,
      markdown: fc.string(),
      board: fc.constantFrom([1, false] as const, [0, false] as const, [0, true] as const),
    })
    .map(({ problems, times, second, closes, board, ...rest }): HomeworkForm => {
      const [start = 0, end = 0, close = 0] = times.toSorted((left, right) => left - right)
      return {
        ...rest,
        problemIds: problems.map(([id]) => id),
        points: problems.map(([, points]) => points),
        start: start * 60,
        end: end * 60 + second,
        close: closes ? close * 60 + 60 + second : null,
        scoreboardStatus: board[0],
        scoreboardNames: board[1],
      }
    })
  fc.assert(
    fc.property(stored, (form) => {
      expect(toBody(toValues(storedOf(form)))).toEqual(form)
    }),
  )
})
