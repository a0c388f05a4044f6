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

  test('is told from the days before and after it, and worked out once', () => {
    const [noon, midnight] = [utc('2026-05-05T12:00:00'), utc('2026-05-05T00:00:00')]
    const day = calendarDay(noon, 'UTC')
    expect(calendarDay(midnight, 'UTC')).toBe(day)
    expect(calendarDay(midnight + 24 * HOUR - 1, 'UTC')).toBe(day)
    expect(calendarDay(midnight + 24 * HOUR, 'UTC').start).toBe(midnight + 24 * HOUR)
    expect(calendarDay(midnight - 1, 'UTC').end).toBe(midnight)
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

  test('names rows with too few or too many fields, and leaves them out', () => {
    expect(parseCsv('a,b\n1\n1,2,3')).toEqual({
      header: ['a', 'b'],
      rows: [],
      faults: [
        { line: 2, code: 'field_count', params: { found: 1, wanted: 2 } },
        { line: 3, code: 'field_count', params: { found: 3, wanted: 2 } },
      ],
    })
  })

  test('names the line on which a quote begins that never ends', () => {
    const { faults } = parseCsv('a\n1\n"x\ny"\n"z\n')
    expect(faults).toEqual([{ line: 5, code: 'unreadable_row' }])
  })

  test.each<[string, string, string[], number[]]>([
    ['no text', '', [], []],
    ['white space around names', ' a , b \n1,2', ['a', 'b'], [2]],
    ['a row of white space', 'a,b\n , \n1,2', ['a', 'b'], [3]],
    ['a row with an empty cell', 'a,b\n,2', ['a', 'b'], [2]],
    ['line breaks in a cell', 'a,b\n"x\ny\r\nz",2\n3,4', ['a', 'b'], [2, 5]],
  ])('of %s has its columns, and rows on their lines', (_what, text, header, lines) => {
    const table = parseCsv(text)
    expect(table.header).toEqual(header)
    expect(table.rows.map(({ line }) => line)).toEqual(lines)
    expect(table.faults).toEqual([])
  })

  test('keeps a mark of byte order in the middle', () => {
    expect(parseCsv('a\nx\u{feff}y').rows[0]?.cells).toEqual({ a: 'x\u{feff}y' })
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
