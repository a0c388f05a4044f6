/** The homework form: the body that it sends, and how a stored homework fills it in again. */
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { homework, homeworkForm, homeworkStatusAt } from '#contract/homeworks'
import { toBody, toValues, type HomeworkValues } from '../../web/features/homeworks/form-values.ts'
import { formatDeadline, formatTime } from '../../web/lib/format/format.ts'
import { parseTime } from '../../web/lib/format/parse-time.ts'

/** The server's answer once it has stored a body. */
function storedOf(body: unknown) {
  return homework.parse({
    ...homeworkForm.parse(body),
    id: '0'.repeat(24),
    course: 'Demo',
    problems: [],
    status: 'running',
    studentStatus: {},
  })
}

const FILLED: HomeworkValues = {
  name: ' Loops ',
  problemIds: ['7', '3'],
  start: '2026-03-01 08:00',
  end: '2026-03-08 23:59',
  markdown: 'Read *chapter 3*.',
  scoreboard: 'names',
}

it('each field of the form arrives in its own field of the body', () => {
  expect(toBody(FILLED)).toEqual({
    name: 'Loops',
    problemIds: [7, 3],
    start: parseTime('2026-03-01 08:00'),
    end: parseTime('2026-03-08 23:59') + 59,
    markdown: 'Read *chapter 3*.',
    scoreboardStatus: 0,
    scoreboardNames: true,
  })
})

it('a homework that is due at 23:59 runs through the whole of that minute', () => {
  const { start, end } = toBody(FILLED)
  const midnight = parseTime('2026-03-09 00:00')
  expect(homeworkStatusAt({ start, end }, midnight - 1)).toBe('running')
  expect(homeworkStatusAt({ start, end }, midnight)).toBe('over')
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

it('what is stored fills the form in with the same values', () => {
  const minutes = fc.integer({ min: 0, max: 40_000_000 })
  const values = fc
    .record({
      name: fc.string({ minLength: 1, maxLength: 20 }).filter((name) => name.trim() === name),
      problemIds: fc.uniqueArray(fc.integer({ min: 1, max: 9_999 })),
      times: fc.tuple(minutes, minutes),
      second: fc.integer({ min: 0, max: 59 }),
      markdown: fc.string(),
      scoreboard: fc.constantFrom('staff' as const, 'pseudonyms' as const, 'names' as const),
    })
    .map(({ problemIds, times, second, ...rest }): HomeworkValues => {
      const [start = 0, end = 0] = times.toSorted((left, right) => left - right)
      return {
        ...rest,
        problemIds: problemIds.map(String),
        start: formatTime(start * 60),
        end: formatDeadline(end * 60 + second),
      }
    })
  fc.assert(
    fc.property(values, (typed) => {
      expect(toValues(storedOf(toBody(typed)))).toEqual(typed)
    }),
  )
})
