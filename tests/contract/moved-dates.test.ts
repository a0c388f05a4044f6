/** The proposal for moved dates, by the tables of `tests/fixtures/moved-dates` and by hand. */
/// <reference types="vite/types/importMeta.d.ts" />
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { daysTo, moveDates, type DateMoves, type DatedHomework } from '#contract/moved-dates'
import { wallSecondsAt } from '#contract/wall-time'

const secondsOf = (text: string) => Date.parse(text) / 1000
const timeOf = (cell = '–') => (cell === '–' ? null : secondsOf(cell))

/** The homework of half a row: it opens, is due, closes; then the due times of labels. */
function homeworkOf(id: string, [start, end, close, ...dues]: string[]): DatedHomework {
  return {
    id,
    start: secondsOf(start ?? ''),
    end: secondsOf(end ?? ''),
    close: timeOf(close),
    labels: dues.map((due, label) => ({ label, opens: null, due: timeOf(due), closes: null })),
  }
}

/** A table of old and expected dates. Another program made the expected ones, and they were checked by hand. */
function tableOf(text: string) {
  const factOf = (name: string) => new RegExp(`^- ${name}: (.+)$`, 'm').exec(text)?.[1] ?? ''
  const rows = [...text.matchAll(/^\|\s*(\d+) \|(.+)\|$/gm)].map(([, id = '', cells = '']) => {
    const times = cells.split('|').map((cell) => cell.trim())
    const half = times.length / 2
    return { old: homeworkOf(id, times.slice(0, half)), moved: homeworkOf(id, times.slice(half)) }
  })
  const holidays = factOf('holidays')
    .split(', ')
    .map((days) => days.split(' to '))
    .map(([first = '', last = first]) => ({ first, last }))
  return {
    title: /^# (.+)$/m.exec(text)?.[1],
    rows,
    moves: {
      days: Number(factOf('days')),
      holidays,
      onHoliday: factOf('on a holiday') as DateMoves['onHoliday'],
      from: factOf('from'),
      to: factOf('to'),
    },
  }
}

const texts = import.meta.glob<string>('../fixtures/moved-dates/*.md', {
  eager: true,
  query: '?raw',
  import: 'default',
})
const tables = Object.values(texts).map(tableOf)

it('there are tables', () => {
  expect(tables.map(({ rows }) => rows.length).toSorted()).toEqual([20, 20, 8])
})

it.each(tables)('$title', ({ rows, moves }) => {
  const old = rows.map((row) => row.old)
  expect(moveDates(old, moves)).toEqual(rows.map((row) => row.moved))
  // The order of the list does not matter.
  const reversed = moveDates(old.toReversed(), moves)
  expect(reversed).toEqual(rows.map((row) => row.moved).toReversed())
})

const MOVES = { days: 7, holidays: [], onHoliday: 'week', from: 'UTC', to: 'UTC' } as const

/** A homework that opens on the first of May 2026 and is due on a day of May. */
function dueOn(day: string, changes: Partial<DatedHomework> = {}): DatedHomework {
  const start = secondsOf('2026-05-01T08:00Z')
  return {
    id: day,
    start,
    end: secondsOf(`2026-05-${day}T12:00Z`),
    close: null,
    labels: [],
    ...changes,
  }
}

const daysOf = (homeworks: DatedHomework[]) =>
  homeworks.map(({ end }) => new Date(end * 1000).toISOString().slice(5, 10))

describe('a week later', () => {
  const holiday = (...days: string[]) => ({
    ...MOVES,
    holidays: days.map((day) => ({ first: `2026-05-${day}`, last: `2026-05-${day}` })),
  })

  it('what is due later slides along, what is due before or at the same time stays', () => {
    const label = { label: 1, opens: null, due: secondsOf('2026-05-07T12:00Z'), closes: null }
    const late = dueOn('06', { labels: [label] })
    const moved = moveDates([dueOn('05'), late, dueOn('06'), dueOn('08')], holiday('14'))
    expect(daysOf(moved)).toEqual(['05-12', '05-20', '05-13', '05-22'])
    expect(moved[1]?.labels[0]?.due).toBe(secondsOf('2026-05-21T12:00Z'))
    expect(moved[1]?.start).toBe(secondsOf('2026-05-15T08:00Z'))
  })

  it('the next week may be a holiday, too, and closing on a holiday moves nothing', () => {
    const close = secondsOf('2026-05-07T12:00Z')
    const moved = moveDates([dueOn('04'), dueOn('06', { close })], holiday('11', '18', '14'))
    expect(daysOf(moved)).toEqual(['05-25', '05-27'])
    expect(daysOf(moveDates([dueOn('06', { close })], holiday('14')))).toEqual(['05-13'])
  })
})

it('by days, a label closes no sooner than the homework is due', () => {
  const labels = [{ label: 1, opens: null, due: null, closes: secondsOf('2026-05-05T11:00Z') }]
  const homework = dueOn('04', { labels, close: secondsOf('2026-05-04T13:00Z') })
  const holidays = [{ first: '2026-05-11', last: '2026-05-12' }]
  const [moved] = moveDates([homework], { ...MOVES, onHoliday: 'day', holidays })
  expect(moved).toMatchObject({
    end: secondsOf('2026-05-13T12:00Z'),
    close: secondsOf('2026-05-13T13:00Z'),
    labels: [{ closes: secondsOf('2026-05-13T12:00Z') }],
  })
})

it('dates move back, too, and come in order behind a gap of the clock', () => {
  const homework = dueOn('04', {
    start: secondsOf('2026-04-05T02:45+02:00'),
    end: secondsOf('2026-04-05T03:15+02:00'),
    close: secondsOf('2026-04-05T03:20+02:00'),
    labels: [{ label: 1, opens: secondsOf('2026-04-05T02:50+02:00'), due: null, closes: null }],
  })
  const berlin = { ...MOVES, from: 'Europe/Berlin', to: 'Europe/Berlin' }
  const [moved] = moveDates([homework], { ...berlin, days: -7 })
  expect(moved).toEqual({
    id: '04',
    start: secondsOf('2026-03-29T03:45+02:00'),
    end: secondsOf('2026-03-29T03:45+02:00'),
    close: secondsOf('2026-03-29T03:45+02:00'),
    labels: [{ label: 1, opens: secondsOf('2026-03-29T03:50+02:00'), due: null, closes: null }],
  })
})

it('without holidays all clocks show the same times, days later', () => {
  const time = fc.integer({ min: 1_700_000_000, max: 2_000_000_000 })
  const zone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Shanghai')
  fc.assert(
    fc.property(time, fc.integer({ min: -400, max: 400 }), zone, zone, (end, days, from, to) => {
      const homework = { id: '', start: end, end, close: null, labels: [] }
      const [moved] = moveDates([homework], { ...MOVES, days, from, to })
      const late = wallSecondsAt(moved?.end ?? 0, to) - wallSecondsAt(end, from) - days * 86_400
      // Only a time in the gap of a clock change is shown later.
      expect([0, 3600]).toContain(late)
    }),
  )
})

it.each([
  ['2027-10-18', true, 364],
  ['2027-10-18', false, 363],
  ['2027-10-19', true, 364],
  ['2027-10-20', true, 371],
  ['2026-10-20', true, 0],
  ['2026-10-14', true, 0],
  ['2026-10-13', true, -7],
  ['2026-10-13', false, -7],
  ['2026-10-19', false, -1],
])('until the first homework opens on %s, keeping weekdays: %s', (day, keeps, days) => {
  // 23:30 in UTC on the 19th is the 20th in Berlin.
  const homeworks = [
    { start: secondsOf('2026-11-01T00:00Z') },
    { start: secondsOf('2026-10-19T23:30Z') },
  ]
  expect(daysTo(day, homeworks, keeps, 'Europe/Berlin')).toBe(days)
  expect(daysTo(day, [], keeps, 'Europe/Berlin')).toBe(0)
})
