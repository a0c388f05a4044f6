/** Days of the calendar, the dialog's changes of dates, and the file of everybody's dates. */
import { describe, expect, it } from 'vitest'
import type { HomeworkDatesTable, HomeworkOverride } from '#contract/homework-overrides'
import {
  changeFor,
  valuesOf,
  type Target,
} from '../../web/components/homeworks/extension-values.ts'
import { readDate, readDatesFile } from '../../web/features/homeworks/dates/dates-file.ts'
import { targetsByName, toDatesTable } from '../../web/features/homeworks/dates/dates-rows.ts'
import { labelsThatApply } from '../../web/features/homeworks/dates/labels-that-apply.ts'
import { toCsv } from '#contract/csv-table'
import { addCalendarDays } from '../../web/lib/format/calendar-days.ts'
import { formatDeadline, formatTime } from '../../web/lib/format/format.ts'
import { parseDeadline, parseTime } from '../../web/lib/format/parse-time.ts'

const TAIPEI = 'Asia/Taipei'
const BERLIN = 'Europe/Berlin'
const inTaipei = (text: string) => parseTime(text, TAIPEI)
const untilInTaipei = (text: string) => parseDeadline(text, TAIPEI)

describe('days of the calendar', () => {
  it.each([
    // Clocks go forward on 2026-03-29: this day has 23 hours.
    ['2026-03-28 23:59', 2, '2026-03-30 23:59', 47],
    // They go back on 2026-10-25: this day has 25 hours.
    ['2026-10-24 23:59', 2, '2026-10-26 23:59', 49],
    ['2026-10-24 02:30', 1, '2026-10-25 02:30', 24],
    ['2026-12-30 23:59', 7, '2027-01-06 23:59', 168],
    ['2028-02-28 23:59', 1, '2028-02-29 23:59', 24],
  ])('from %s in Berlin, %i days later are %s', (from, days, to, hours) => {
    const at = parseDeadline(from, BERLIN)
    const later = addCalendarDays(at, days, BERLIN)
    expect(formatDeadline(later, BERLIN)).toBe(to)
    expect((later - at) / 3_600).toBe(hours)
  })

  it('a time that the clock skips moves behind the gap', () => {
    const at = addCalendarDays(parseTime('2026-03-28 02:30', BERLIN), 1, BERLIN)
    expect(formatTime(at, BERLIN)).toBe('2026-03-29 03:30')
  })
})

const OVERRIDE: HomeworkOverride = {
  opens: null,
  due: null,
  closes: null,
  graceMinutes: null,
  latePercent: null,
  quota: null,
  excused: null,
  reason: '',
  by: 'tina',
  at: 1,
}
const OWN = {
  opens: inTaipei('2026-11-01 08:00'),
  due: untilInTaipei('2026-11-30 23:59'),
  closes: untilInTaipei('2026-11-30 23:59'),
  graceMinutes: 0,
  latePercent: null,
  excused: false,
  why: null,
}

describe('the change that the dialog sends', () => {
  const target = (override: HomeworkOverride | null = null): Target => ({
    username: 'ann',
    own: OWN,
    override,
  })
  const changeOf = (of: Target, values: Partial<ReturnType<typeof valuesOf>>) => {
    const initial = valuesOf([of])
    return changeFor(of, { ...initial, ...values }, initial, TAIPEI)
  }

  it('holds only what was changed', () => {
    expect(changeOf(target(), {})).toEqual({ username: 'ann' })
    expect(changeOf(target({ ...OVERRIDE, quota: 3, reason: 'Ill' }), {})).toEqual({
      username: 'ann',
    })
    expect(changeOf(target(), { excused: true, reason: 'Ill', graceMinutes: 5 })).toEqual({
      username: 'ann',
      excused: true,
      reason: 'Ill',
      graceMinutes: 5,
    })
  })

  it('counts days from the present due time, whatever the due field shows', () => {
    expect(changeOf(target(), { days: 2, due: '2026-12-02 23:59' })).toEqual({
      username: 'ann',
      due: untilInTaipei('2026-12-02 23:59'),
    })
  })

  it('takes back a field that was emptied', () => {
    const own = target({ ...OVERRIDE, quota: 3, due: OWN.due, excused: true })
    expect(changeOf(own, { quota: '', due: '', excused: false })).toEqual({
      username: 'ann',
      quota: null,
      due: null,
      excused: null,
    })
  })

  it('moves the person’s own closing time along where it would come before the due time', () => {
    const due = untilInTaipei('2026-12-02 23:59')
    const closing = (text: string) => target({ ...OVERRIDE, closes: untilInTaipei(text) })
    expect(changeOf(closing('2026-12-01 23:59'), { days: 2 })).toMatchObject({ due, closes: due })
    expect(changeOf(closing('2026-12-03 23:59'), { days: 2 })).not.toHaveProperty('closes')
    expect(changeOf(target(), { days: 2 })).not.toHaveProperty('closes')
  })

  it('leaves as much time for late work as before', () => {
    const closes = untilInTaipei('2026-12-03 23:59')
    const late = { ...target(), own: { ...OWN, closes } }
    expect(changeOf(late, { days: 2 })).toMatchObject({
      due: untilInTaipei('2026-12-02 23:59'),
      closes: untilInTaipei('2026-12-05 23:59'),
    })
    const due = '2026-12-01 12:00'
    expect(changeOf(late, { due }).closes).toBe(closes + parseDeadline(due) - OWN.due)
    const chosen = { due, closes: '2026-12-02 12:00' }
    expect(changeOf(late, chosen).closes).toBe(parseDeadline(chosen.closes))
  })

  it('names a label', () => {
    const label = { username: null, label: 3, own: OWN, override: null }
    expect(changeOf(label, { quota: 4 })).toEqual({ username: null, label: 3, quota: 4 })
  })

  it('is of each one’s own due time where several are changed', () => {
    const later = { ...target(), own: { ...OWN, due: untilInTaipei('2026-12-05 12:00') } }
    const initial = valuesOf([target({ ...OVERRIDE, quota: 3 }), later])
    expect(initial.quota).toBe('')
    const dues = [target(), later].map(
      (each) => changeFor(each, { ...initial, days: 1 }, initial, TAIPEI).due,
    )
    expect(dues.map((at) => formatDeadline(at ?? 0, TAIPEI))).toEqual([
      '2026-12-01 23:59',
      '2026-12-06 12:00',
    ])
  })
})

describe('a date in the file', () => {
  it.each([
    ['2026-12-01 23:59', true, '2026-12-01 23:59:59'],
    ['2026-12-01 23:59', false, '2026-12-01 23:59:00'],
    ['2026-12-01 23:59:30', true, '2026-12-01 23:59:30'],
    ['2026/12/1 9:05', false, '2026-12-01 09:05:00'],
    ['2026-12-01T23:59', true, '2026-12-01 23:59:59'],
    ['2026-12-01T15:59:59Z', true, '2026-12-01 23:59:59'],
    ['2026-12-01T23:59:59+08:00', true, '2026-12-01 23:59:59'],
  ])('%s, a deadline: %s, is %s in Taipei', (text, isDeadline, wanted) => {
    const at = readDate(text, isDeadline, TAIPEI)
    expect(new Date((at + 8 * 3_600) * 1_000).toISOString().slice(0, 19).replace('T', ' ')).toBe(
      wanted,
    )
  })

  it.each(['2026-12-01', 'soon', '2026-02-30 10:00', '2026-12-01 24:30', '01.12.2026 23:59'])(
    '%s is none',
    (text) => expect(readDate(text, true, TAIPEI)).toBeNaN(),
  )
})

describe('the labels whose dates apply to a person', () => {
  const due = (day: number) => untilInTaipei(`2026-12-0${day} 23:59`)
  const table = {
    forAll: null,
    labels: [
      { label: 3, override: { ...OVERRIDE, due: due(5) } },
      { label: 4, override: { ...OVERRIDE, due: due(4), quota: 2 } },
      { label: 5, override: { ...OVERRIDE, due: due(3) } },
    ],
  }

  it('are those that give the most of a field', () => {
    expect(labelsThatApply([3, 4, 5], table, null)).toEqual([3, 4])
    expect(labelsThatApply([5], table, null)).toEqual([5])
    expect(labelsThatApply([9], table, null)).toEqual([])
  })

  it('are none where the person’s own date or a later one for all stands before them', () => {
    expect(labelsThatApply([3, 4], table, { ...OVERRIDE, due: due(1) })).toEqual([4])
    expect(labelsThatApply([3], table, { ...OVERRIDE, quota: 1 })).toEqual([3])
    const forAll = { ...OVERRIDE, due: due(9) }
    expect(labelsThatApply([3], { ...table, forAll }, null)).toEqual([])
  })
})

describe('the file of everybody’s dates', () => {
  const user = (username: string) => ({ username, displayedName: '', role: 2 }) as const
  const people: HomeworkDatesTable['people'] = [
    { user: user('ann'), override: null, own: OWN, kept: 0 },
    {
      user: { ...user('bob'), displayedName: 'Bob Ray' },
      override: { ...OVERRIDE, due: untilInTaipei('2026-12-02 23:59'), reason: '=Ill' },
      own: { ...OWN, due: untilInTaipei('2026-12-02 23:59') },
      kept: 0,
    },
    { user: user('__proto__'), override: null, own: OWN, kept: 0 },
  ]
  const labels = [{ id: 3, name: 'Lab A', shown: false }]
  const table: HomeworkDatesTable = {
    forAll: null,
    labels: [{ label: 3, override: { ...OVERRIDE, due: untilInTaipei('2026-12-05 23:59') } }],
    people,
  }
  const homework = { own: OWN, start: OWN.opens, end: OWN.due, close: null, graceMinutes: 0 }
  const course = { labels, memberLabels: new Map([['ann', [3]]]), timeZone: TAIPEI }
  const targets = targetsByName(table, homework, labels)
  const read = (text: string) =>
    readDatesFile(new TextEncoder().encode(text), { targets, timeZone: TAIPEI })

  it('changes nothing when it comes back as it was downloaded', () => {
    const csv = toCsv(toDatesTable(table, course))
    expect(csv).toContain('label:Lab A,,,2026-12-05 23:59,')
    expect(csv).toContain('ann,,Lab A,')
    expect(csv).toContain('bob,Bob Ray,,')
    const file = read(csv)
    expect(file).toMatchObject({ unknownHeads: [], missing: false })
    expect(file.rows.map(({ username, change, faults }) => [username, change, faults])).toEqual([
      ['label:Lab A', null, []],
      ['ann', null, []],
      ['bob', null, []],
      ['__proto__', null, []],
    ])
  })

  it('changes the dates of labels', () => {
    const { rows } = read('username,due\nlabel:Lab A,2026-12-06 23:59\nlabel:Lab B,')
    expect(rows.map(({ change }) => change)).toEqual([
      { username: null, label: 3, due: untilInTaipei('2026-12-06 23:59') },
      null,
    ])
    expect(rows[1]?.faults).toEqual([{ field: 'username', kind: 'unknown' }])
  })

  it('changes what its columns say, and leaves the others', () => {
    const text = 'Username;Due;Late percent;Excused;Note\nann;2026-12-03 12:00;50;yes;x\n\nbob;;;;'
    const { rows, unknownHeads } = read(text)
    expect(unknownHeads).toEqual(['Note'])
    expect(rows.map(({ number, change }) => [number, change])).toEqual([
      [
        2,
        {
          username: 'ann',
          due: untilInTaipei('2026-12-03 12:00'),
          latePercent: 50,
          excused: true,
        },
      ],
      [4, { username: 'bob', due: null }],
    ])
  })

  it.each([
    ['username,due\nzoe,', 'username unknown'],
    ['username,due\nann,\nann,', 'username twice'],
    ['username,due\nann,tomorrow', 'due date'],
    ['username,closes\nann,31.12.2026', 'closes date'],
    ['username,grace\nann,-1', 'graceMinutes number'],
    ['username,grace\nann,1.5', 'graceMinutes number'],
    ['username,late percent\nann,101', 'latePercent number'],
    ['username,quota\nann,-2', 'quota number'],
    ['username,excused\nann,maybe', 'excused yesNo'],
    ['username,due\nann,2026-10-31 23:59', 'due order'],
    ['username,opens\nann,2026-12-31 23:59', 'due order'],
    ['username,due,closes\nann,2026-12-03 23:59,2026-12-02 23:59', 'due order'],
    [`username,reason\nann,${'x'.repeat(501)}`, 'reason tooLong'],
  ])('says what is wrong: %j', (text, fault) => {
    const faults = read(text).rows.flatMap((row) => row.faults)
    expect(faults.map(({ field, kind }) => `${field} ${kind}`)).toEqual([fault])
  })

  it('without usernames is no such file', () => {
    expect(read('name,due\nann,2026-12-01 23:59').missing).toBe(true)
  })
})
