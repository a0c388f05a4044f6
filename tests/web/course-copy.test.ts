/** The course that comes back: its name, the table of its dates, and what is sent. */
import { describe, expect, it } from 'vitest'
import { courseCopy, homeworkCopy } from '#contract/course-copy'
import { nextName } from '../../web/features/course-copy/next-name.ts'
import {
  hasFault,
  holidayFault,
  proposedDates,
  proposedFirstDay,
  rowsOf,
  toBody,
  type CopyValues,
  type OldHomework,
} from '../../web/features/course-copy/plan.ts'
import { oldHomeworksQuery } from '../../web/features/course-copy/api.ts'
import { toCopyBody, toCopyValues } from '../../web/features/homeworks/copy-values.ts'
import { formatDeadline, formatTime } from '../../web/lib/format/format.ts'
import { parseDeadline, parseTime } from '../../web/lib/format/parse-time.ts'
import { okText, readWith, serveApi } from './fixtures/api-server.ts'
import { datesAt, plainRules } from './fixtures/dates.ts'
import { idOf } from './fixtures/rendered.tsx'

const api = serveApi()

it.each([
  ['Programming 2026', 'Programming 2027'],
  ['WS 2025-26 Algebra', 'WS 2026-27 Algebra'],
  ['WS 2025-2026', 'WS 2026-2027'],
  ['WS 1999-00', 'WS 2000-01'],
  ['2026-03 Loops', '2027-03 Loops'],
  ['CS 2001 in 2026', 'CS 2001 in 2027'],
  ['Algebra', 'Algebra 2'],
  ['Algebra 2', 'Algebra 3'],
  ['Intro 20261', 'Intro 20261 2'],
])('%s comes back as %s', (old, next) => {
  expect(nextName(old)).toBe(next)
  expect(courseCopy.parse({ course: next }).course).toBe(next)
})

const ZONE = 'Europe/Berlin'
const at = (time: string) => parseTime(time, ZONE)
const due = (time: string) => parseDeadline(time, ZONE)

const LOOPS: OldHomework = {
  id: idOf(1),
  name: 'Loops',
  start: at('2026-03-02 08:00'),
  end: due('2026-03-09 23:59'),
  close: null,
  labels: [{ label: 5, opens: null, due: due('2026-03-10 12:00'), closes: null }],
}
const TREES: OldHomework = {
  id: idOf(2),
  name: 'Trees',
  start: at('2026-03-09 08:00'),
  end: due('2026-03-16 23:59'),
  close: due('2026-03-18 23:59'),
  labels: [],
}
const OLD = [LOOPS, TREES]

const VALUES: CopyValues = {
  course: ' Next ',
  firstDay: '2027-03-01',
  keepWeekdays: true,
  holidays: [],
  onHoliday: 'week',
  closeOld: true,
  left: [],
  edits: {},
}

function rows(change: Partial<CopyValues> = {}) {
  const values = { ...VALUES, ...change }
  return rowsOf(OLD, proposedDates(OLD, values.left, values, ZONE), values, ZONE)
}

/** What a clock in the course shows in each cell; `*` behind edited ones. */
const shown = (change: Partial<CopyValues> = {}) =>
  rows(change).map(({ homework, label, cells }) =>
    [
      label === null ? homework.name : `#${label}`,
      ...[cells.opens, cells.due, cells.closes].map(({ at, field, isEdited, isHoliday }) => {
        const format = field === 'opens' ? formatTime : formatDeadline
        const time = at === null || Number.isNaN(at) ? '–' : format(at, ZONE)
        return `${time}${isEdited ? '*' : ''}${isHoliday ? '!' : ''}`
      }),
    ].join(' | '),
  )

describe('the table of dates', () => {
  it('keeps clock times and weekdays, for labels, too', () => {
    expect(shown()).toEqual([
      'Loops | 2027-03-01 08:00 | 2027-03-08 23:59 | –',
      '#5 | – | 2027-03-09 12:00 | –',
      'Trees | 2027-03-08 08:00 | 2027-03-15 23:59 | 2027-03-17 23:59',
    ])
  })

  it('reads a day that is none as no move', () => {
    expect(shown({ firstDay: '2027-02-30' })[0]).toBe(
      'Loops | 2026-03-02 08:00 | 2026-03-09 23:59 | –',
    )
  })

  it('keeps what was typed when the rule changes', () => {
    // In the reader's zone, as the cell shows it.
    const typed = formatDeadline(due('2027-03-12 20:00'))
    const edits = { [`${LOOPS.id}/due`]: typed, [`${LOOPS.id}/5/opens`]: 'soon' }
    const holidays = [{ first: '2027-03-16', last: '2027-03-19' }]
    expect(shown({ edits, holidays, firstDay: '2027-03-08' })).toEqual([
      'Loops | 2027-03-15 08:00 | 2027-03-12 20:00* | –',
      '#5 | –* | 2027-03-23 12:00 | –',
      'Trees | 2027-03-22 08:00 | 2027-03-29 23:59 | 2027-03-31 23:59',
    ])
    const [first, second] = rows({ edits })
    expect([first?.cells.due.text, second?.cells.opens.text]).toEqual([typed, 'soon'])
    expect(second?.cells.opens.fault).toBe('form')
  })

  it('marks holidays', () => {
    const holidays = [{ first: '2027-03-17', last: '2027-03-17' }]
    expect(shown({ holidays })[2]).toMatch(/2027-03-17 23:59!$/)
    expect(shown({ holidays: [{ first: '2027-03-17', last: '' }] })[2]).toMatch(/23:59!$/)
    expect(shown({ holidays: [{ first: '2027-03-17', last: '2027-03' }] })[2]).toMatch(/23:59$/)
  })

  it('says which day of a holiday is wrong', () => {
    expect(holidayFault({ first: '2027-03-17', last: '' })).toBeNull()
    expect(holidayFault({ first: '', last: '' })).toBeNull()
    expect(holidayFault({ first: '', last: '2027-03-17' })).toBe('first')
    expect(holidayFault({ first: '2027-03-17', last: '2027-03-16' })).toBe('last')
  })

  it('says what is wrong with a time', () => {
    const faultsOf = (edits: Record<string, string>) =>
      rows({ edits }).map(({ cells }) =>
        [cells.opens, cells.due, cells.closes].map(({ fault }) => fault),
      )
    const none = [null, null, null]
    expect(faultsOf({})).toEqual([none, none, none])
    expect(faultsOf({ [`${LOOPS.id}/due`]: '2027-02-01 10:00' })[0]).toEqual([
      null,
      'beforeOpening',
      null,
    ])
    expect(faultsOf({ [`${LOOPS.id}/opens`]: '' })[0]).toEqual(['form', null, null])
    expect(faultsOf({ [`${TREES.id}/closes`]: '2027-03-10 10:00' })[2]).toEqual([
      null,
      null,
      'beforeDue',
    ])
    // A label without a time of its own has the homework's.
    expect(faultsOf({ [`${LOOPS.id}/5/due`]: '2027-02-20 10:00' })[1]?.[1]).toBe('beforeOpening')
    const edits = { [`${LOOPS.id}/due`]: 'x' }
    expect([hasFault(rows({ edits })), hasFault(rows({ edits, left: [LOOPS.id] }))]).toEqual([
      true,
      false,
    ])
  })

  it('sends the homeworks that come along, from the first of them on', () => {
    const times = { start: at('2027-03-08 08:00'), end: due('2027-03-15 23:59') }
    const trees = { id: TREES.id, ...times, close: due('2027-03-17 23:59'), labels: [] }
    const body = toBody(VALUES, rows())
    expect(body).toEqual({
      course: 'Next',
      closeOld: true,
      homeworks: [
        {
          id: LOOPS.id,
          start: at('2027-03-01 08:00'),
          end: due('2027-03-08 23:59'),
          close: null,
          labels: [{ label: 5, opens: null, due: due('2027-03-09 12:00'), closes: null }],
        },
        trees,
      ],
    })
    expect(courseCopy.parse(body)).toEqual(body)
    const left = [LOOPS.id]
    const values = { ...VALUES, left, firstDay: '2027-03-08' }
    expect(toBody(values, rows(values)).homeworks).toEqual([trees])
  })

  it('proposes the same weekday a year later, or the next one if that is over', () => {
    const dayFor = (now: string) => proposedFirstDay(OLD, ZONE, at(now))
    expect(dayFor('2026-08-01 00:00')).toBe('2027-03-01')
    expect(dayFor('2030-01-01 00:00')).toBe('2030-01-07')
    expect(proposedFirstDay([], ZONE, 0)).toBe('')
  })
})

it('dates of labels are read for each homework, and only if the course has labels', async () => {
  const stored = ({ id, name, start, end, close }: OldHomework) => ({
    id,
    name,
    course: 'A B',
    start,
    end,
    ...plainRules([]),
    close,
    own: datesAt(start, end),
    markdown: '',
    problemIds: [],
    problems: [],
    scoreboardStatus: 1,
    scoreboardNames: false,
    status: 'over',
    studentStatus: {},
    marks: {},
    lateDays: null,
  })
  const empty = { graceMinutes: null, latePercent: null, quota: null, excused: null }
  const by = { ...empty, reason: '', by: null, at: 1 }
  api.answer = (response, call) => {
    const labels = call.includes(LOOPS.id)
      ? LOOPS.labels.map(({ label, ...times }) => ({ label, override: { ...times, ...by } }))
      : []
    const table = { forAll: null, labels, people: [] }
    response.end(okText(call.includes('/dates') ? table : [TREES, LOOPS].map(stored)))
  }
  expect(await readWith(oldHomeworksQuery('A B', true))).toEqual(OLD)
  expect(api.noted.map(({ call }) => call).toSorted()).toEqual([
    'GET /course/A%20B/homework?progress=own',
    `GET /homework/${LOOPS.id}/dates`,
    `GET /homework/${TREES.id}/dates`,
  ])
  api.noted = []
  const bare = await readWith(oldHomeworksQuery('A B', false))
  expect(bare).toEqual(OLD.map((homework) => ({ ...homework, labels: [] })))
  expect(api.noted).toHaveLength(1)
})

it('a homework alone is offered from today on, at the same weekdays and times', () => {
  const values = toCopyValues(TREES, ZONE, at('2026-11-28 10:00'))
  const body = toCopyBody({ ...values, courseName: 'Next' })
  expect(body).toEqual({
    courseName: 'Next',
    name: 'Trees',
    start: at('2026-11-30 08:00'),
    end: due('2026-12-07 23:59'),
    close: due('2026-12-09 23:59'),
  })
  expect(homeworkCopy.parse(body)).toEqual(body)
  expect(toCopyBody({ ...values, close: ' ' }).close).toBeNull()
  expect(homeworkCopy.safeParse({ ...body, end: body.start - 1 }).success).toBe(false)
})
