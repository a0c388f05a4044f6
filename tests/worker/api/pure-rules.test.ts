import { describe, expect, test } from 'vitest'
import { calendarDay } from '../../../worker/lib/calendar-day.ts'
import { hasMoreCells, parseCsv } from '../../../worker/lib/csv.ts'
import { newHexId } from '../../../worker/lib/ids.ts'

const HOUR = 3600

/** Epoch seconds of a UTC time. */
function utc(text: string): number {
  return Date.parse(`${text}Z`) / 1000
}

describe('the calendar day of a quota', () => {
  test.each([
    ['UTC', '2026-05-05T12:00:00', '2026-05-05T00:00:00', 24],
    ['Asia/Taipei', '2026-05-05T15:59:59', '2026-05-04T16:00:00', 24],
    ['Asia/Taipei', '2026-05-05T16:00:00', '2026-05-05T16:00:00', 24],
    ['Europe/Berlin', '2026-03-29T12:00:00', '2026-03-28T23:00:00', 23],
    ['Europe/Berlin', '2026-10-25T12:00:00', '2026-10-24T22:00:00', 25],
  ])('in %s at %s begins at %s and has %i hours', (timeZone, now, start, hours) => {
    const day = calendarDay(utc(now), timeZone)
    expect(day.start).toBe(utc(start))
    expect(day.end - day.start).toBe(hours * HOUR)
  })
})

describe('CSV', () => {
  test('takes a BOM, CRLF, quotes and blank lines, and counts lines [IV6]', () => {
    const table = parseCsv('\u{feff}a,b\r\n"x, ""y""",2\r\n\r\n3,4\r\n')
    expect(table).toEqual({
      header: ['a', 'b'],
      rows: [
        { line: 2, cells: { a: 'x, "y"', b: '2' } },
        { line: 4, cells: { a: '3', b: '4' } },
      ],
      faults: [],
    })
  })

  test('names rows with too few or too many fields', () => {
    expect(parseCsv('a,b\n1\n1,2,3').faults.map((fault) => fault.line)).toEqual([2, 3])
  })
})

describe('the size of a CSV', () => {
  test.each([',', '\n', '\r'])('is counted in cells without parsing it, by %j', (mark) => {
    expect(hasMoreCells(`a${mark}b${mark}c`, 2)).toBe(false)
    expect(hasMoreCells(`a${mark}b${mark}c`, 1)).toBe(true)
    expect(hasMoreCells(mark.repeat(4_000_000), 100_000)).toBe(true)
  })
})

describe('ids', () => {
  test('are 24 hex digits in order of time, and differ', () => {
    const ids = [newHexId(5), newHexId(1_800_000_000_000), newHexId(1_800_000_000_001)]
    expect(ids).toEqual(ids.toSorted())
    expect(ids.every((id) => /^[0-9a-f]{24}$/.test(id))).toBe(true)
    expect(newHexId(5)).not.toBe(newHexId(5))
  })
})
