import { describe, expect, it } from 'vitest'
import { piecesOf } from '../../web/features/submissions/compile-pieces.ts'
import { emptyHomework } from '../../web/features/homeworks/form-values.ts'
import {
  formatBytes,
  formatDuration,
  formatRelative,
  formatTime,
  kbToMb,
  mbToKb,
  zoneName,
} from '../../web/lib/format.ts'
import { parseTime } from '../../web/lib/parse-time.ts'

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
    [7_200, 'in 2 hr.'],
    [3 * 86_400, 'in 3 days'],
  ])('%i seconds away read %j', (distance, expected) => {
    expect(formatRelative(newYear + distance, newYear * 1000, 'en')).toBe(expected)
  })
})

describe('sizes', () => {
  it('turn KB into MB and back without loss for whole MB', () => {
    for (const mb of [1, 64, 256, 4096]) expect(kbToMb(mbToKb(mb))).toBe(mb)
    expect(kbToMb(3_277)).toBe(3.2)
  })

  it.each([
    [0, '0 B'],
    [1_536, '1.5 KiB'],
    [8 * 1024 ** 2, '8.0 MiB'],
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
  it.each(['UTC', 'Asia/Taipei', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia'])(
    'in %s are read as they are shown, through a year',
    (zone) => {
      for (let at = Date.UTC(2026, 0, 1) / 1000; at < Date.UTC(2027, 0, 1) / 1000; at += 86_340) {
        const text = formatTime(at, zone)
        // An hour that a clock shows twice may be either.
        expect(formatTime(parseTime(text, zone), zone), text).toBe(text)
      }
    },
  )

  it('that a clock change leaves out are an hour later', () => {
    const read = parseTime('2026-03-08 02:30', 'America/New_York')
    expect(formatTime(read, 'America/New_York')).toMatch(/^2026-03-08 0[13]:30$/)
  })

  it.each([
    '',
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
      expect(formatTime(parseTime(end), zone)).toMatch(/ 23:59$/)
      expect(parseTime(end) - parseTime(start)).toBeGreaterThan(6 * 86_400)
    }
  })
})
