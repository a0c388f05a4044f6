import { describe, expect, it } from 'vitest'
import { piecesOf } from '../../web/lib/text/compile-pieces.ts'
import { emptyHomework } from '../../web/features/homeworks/form-values.ts'
import {
  formatAgo,
  formatBytes,
  formatDeadline,
  formatDuration,
  formatRelative,
  formatTime,
  kbToMb,
  mbToKb,
  zoneName,
} from '../../web/lib/format/format.ts'
import { parseDeadline, parseTime } from '../../web/lib/format/parse-time.ts'

describe('times', () => {
  const newYear = Date.UTC(2026, 0, 1, 0, 5) / 1000

  it.each([
    ['UTC', '2026-01-01 00:05'],
    ['Asia/Taipei', '2026-01-01 08:05'],
    ['America/New_York', '2025-12-31 19:05'],
  ])('in %s stand as %s', (zone, expected) => {
    expect(formatTime(newYear, zone)).toBe(expected)
  })

  it('name their zone', () => {
    expect(zoneName(newYear, 'UTC')).toBe('UTC')
    expect(zoneName(newYear, 'Asia/Taipei')).toBe('GMT+8')
  })

  it.each([
    [2 * 86_400 + 3 * 3_600 + 59, '2 days 3 hours'],
    [3_600, '1 hour'],
    [86_400 + 60, '1 day'],
    [61, '1 minute 1 second'],
    [9, '9 seconds'],
    [-5, '0 seconds'],
  ])('%d seconds last %s', (seconds, expected) => {
    expect(formatDuration(seconds, 'en')).toBe(expected)
  })

  it.each([
    [-90, '1 min. ago'],
    [-5, '5 sec. ago'],
    [0, 'now'],
    [59, 'in 59 sec.'],
    [60, 'in 1 min.'],
    [119, 'in 1 min.'],
    [3_599, 'in 59 min.'],
    [3_600, 'in 1 hr.'],
    [7_200, 'in 2 hr.'],
    [86_399, 'in 23 hr.'],
    [86_400, 'tomorrow'],
    [3 * 86_400, 'in 3 days'],
  ])('%i seconds away read %j', (distance, expected) => {
    expect(formatRelative(newYear + distance, newYear * 1000, 'en')).toBe(expected)
  })

  it.each([
    [-90, 'en', '1 min. ago'],
    [2, 'en', 'now'],
    [2, 'zh-TW', '現在'],
    [3_600, 'en', 'now'],
  ])('what has happened %i seconds away reads in %s %j, never ahead', (distance, tag, expected) => {
    expect(formatAgo(newYear + distance, newYear * 1000, tag)).toBe(expected)
  })
})

describe('sizes', () => {
  it('turn KB into MB and back without loss for whole MB', () => {
    for (const mb of [1, 64, 256, 4096]) expect(kbToMb(mbToKb(mb))).toBe(mb)
    expect(kbToMb(3_277)).toBe(3.2)
    expect(kbToMb(1_076)).toBe(1.1)
    expect(mbToKb(0.7)).toBe(717)
  })

  it.each([
    [0, '0 B'],
    [1_023, '1023 B'],
    [1_024, '1.0 KiB'],
    [1_536, '1.5 KiB'],
    [1024 ** 2 - 1_024, '1023.0 KiB'],
    [1024 ** 2, '1.0 MiB'],
    [8 * 1024 ** 2, '8.0 MiB'],
    [1024 ** 3 - 1024 ** 2, '1023.0 MiB'],
    [1024 ** 3, '1.00 GiB'],
  ])('of %i bytes read %s', (bytes, expected) => {
    expect(formatBytes(bytes)).toBe(expected)
  })
})

describe('texts', () => {
  it('link the source lines a compile message names', () => {
    const message = "main.cpp:3:5: error: x\nFile 'y', line 12\n"
    expect(piecesOf(message).filter(({ line }) => line !== null)).toEqual([
      { text: 'main.cpp:3:5', line: 3 },
      { text: 'line 12', line: 12 },
    ])
    expect(
      piecesOf(message)
        .map(({ text }) => text)
        .join(''),
    ).toBe(message)
  })
})

describe('times that are typed', () => {
  /** Shows times in a zone, reads them and shows them again; a clock time that occurs twice may be read as either. */
  function expectReadAsShown(times: number[], zone: string) {
    const shown = times.map((at) => formatTime(at, zone))
    expect(shown.map((text) => formatTime(parseTime(text, zone), zone))).toEqual(shown)
  }

  it.each(['UTC', 'Asia/Taipei', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia'])(
    'in %s are read as they are shown, through a year and at every hour of the day',
    (zone) => {
      const begin = Date.UTC(2026, 0, 1) / 1000
      expectReadAsShown(
        Array.from({ length: 350 }, (_, index) => begin + index * 90_060),
        zone,
      )
    },
  )

  it.each([
    ['America/New_York', '2026-03-08'],
    ['America/New_York', '2026-11-01'],
    ['Europe/Berlin', '2026-03-29'],
    ['Europe/Berlin', '2026-10-25'],
    ['Australia/Lord_Howe', '2026-04-05'],
    ['Australia/Lord_Howe', '2026-10-04'],
  ])('in %s are read as they are shown on %s, when its clock changes', (zone, day) => {
    const begin = parseTime(`${day} 00:00`, zone)
    expect(parseTime(`${day} 23:59`, zone) - begin).not.toBe(86_340)
    expectReadAsShown(
      Array.from({ length: 48 }, (_, index) => begin + index * 1_800),
      zone,
    )
  })

  it.each([
    ['America/New_York', '2026-03-08 01:59', '2026-03-08T06:59Z'],
    ['America/New_York', '2026-03-08 03:00', '2026-03-08T07:00Z'],
    ['America/New_York', '2026-11-01 00:59', '2026-11-01T04:59Z'],
    ['America/New_York', '2026-11-01 02:00', '2026-11-01T07:00Z'],
    ['Europe/Berlin', '2026-03-29 03:00', '2026-03-29T01:00Z'],
    ['Europe/Berlin', '2026-10-25 03:00', '2026-10-25T02:00Z'],
  ])('beside a clock change in %s: %s is %s', (zone, text, instant) => {
    expect(parseTime(text, zone)).toBe(Date.parse(instant) / 1000)
  })

  it.each([
    ['America/New_York', '2026-03-08 02:30', '2026-03-08 03:30'],
    ['America/Los_Angeles', '2026-03-08 02:00', '2026-03-08 03:00'],
    ['America/St_Johns', '2026-03-08 02:59', '2026-03-08 03:59'],
    ['America/Havana', '2026-03-08 00:30', '2026-03-08 01:30'],
    ['America/Santiago', '2026-09-06 00:30', '2026-09-06 01:30'],
    ['Europe/Berlin', '2026-03-29 02:30', '2026-03-29 03:30'],
    ['Australia/Sydney', '2026-10-04 02:30', '2026-10-04 03:30'],
    ['Pacific/Auckland', '2026-09-27 02:30', '2026-09-27 03:30'],
  ])('that a clock change in %s leaves out are an hour later: %s is %s', (zone, text, later) => {
    expect(formatTime(parseTime(text, zone), zone)).toBe(later)
  })

  it.each([
    ['America/New_York', '2026-11-01 01:30', '2026-11-01T05:30Z'],
    ['Europe/Berlin', '2026-10-25 02:30', '2026-10-25T00:30Z'],
    ['Pacific/Auckland', '2026-04-05 02:30', '2026-04-04T13:30Z'],
  ])('that a clock in %s shows twice are the earlier ones: %s is %s', (zone, text, instant) => {
    expect(parseTime(text, zone)).toBe(Date.parse(instant) / 1000)
  })

  it.each(['UTC', 'Asia/Taipei', 'Pacific/Kiritimati', 'America/New_York'])(
    'in %s may be of any year from 1970 to 9999',
    (zone) => {
      const years = [1970, 1999, 2026, 2100, 9998, 9999]
      const typed = years.flatMap((year) => [`${year}-01-01 00:00`, `${year}-12-31 23:59`])
      expect(typed.map((text) => formatTime(parseTime(text, zone), zone))).toEqual(typed)
    },
  )

  it.each([
    '',
    '0000-01-01 00:00',
    '0999-12-31 23:59',
    '99999-99-99 99:99',
    '2026-02-30 10:00',
    '2026-1-1 10:00',
    '2026-01-01',
    '2026-01-01 24:00',
    '01/02/2026',
  ])('%j is none', (text) => {
    expect(parseTime(text)).toBeNaN()
  })

  it('of a new homework are due in the last minute of a day in the course, wherever one is', () => {
    for (const zone of ['Asia/Taipei', 'America/New_York', 'UTC']) {
      const { start, end } = emptyHomework(zone)
      expect(formatDeadline(parseDeadline(end), zone)).toMatch(/ 23:59$/)
      expect(parseTime(end) - parseTime(start)).toBeGreaterThan(6 * 86_400)
    }
  })
})

describe('deadlines', () => {
  const midnight = Date.UTC(2026, 10, 30, 16) / 1000

  it('of a minute leave the whole minute', () => {
    expect(parseDeadline('2026-11-30 23:59', 'Asia/Taipei')).toBe(midnight - 1)
    expect(formatDeadline(midnight - 1, 'Asia/Taipei')).toBe('2026-11-30 23:59')
  })

  it('that end within a minute are shown with their seconds, and read as they are shown', () => {
    expect(formatDeadline(midnight - 60, 'Asia/Taipei')).toBe('2026-11-30 23:59:00')
    for (const at of [midnight - 60, midnight - 2, midnight, midnight + 9])
      expect(parseDeadline(formatDeadline(at))).toBe(at)
  })

  it.each(['2026-11-30', '2026-11-30 23:59:60', '2026-11-30 23:59:', ' 23:59:00'])(
    '%j is none',
    (text) => {
      expect(parseDeadline(text)).toBeNaN()
    },
  )
})
