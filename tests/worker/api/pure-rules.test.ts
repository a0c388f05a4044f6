import { array, assert, constantFrom, property } from 'fast-check'
import Papa from 'papaparse'
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

  test.each<[string, string, number]>([
    ['a quote in a quoted cell', 'a,b\n1,2\n"3\n"4",5\n6,7', 3],
    ['text after a quoted cell', 'a,b\r\n1,2\r\n\r\n3,"4" 5\r\n6,7', 4],
    ['a broken header', '"a"b,c\n1,2', 1],
    ['marks of byte order before a broken header', '\u{feff}\u{feff}"a"b,c\n1,2', 1],
    ['a quote for each letter, as long as a file may be', `a\n"${'a"'.repeat(1_990_000)}`, 2],
    [
      'blanks after many quotes, as long as a file may be',
      `a\n"${'"a'.repeat(1_000_000)}${' '.repeat(1_990_000)},x`,
      2,
    ],
  ])('with %s is read up to that row', (_what, text, line) => {
    const table = parseCsv(text)
    expect(table.faults).toEqual([{ line, code: 'unreadable_row' }])
    expect(table.rows.every((row) => row.line < line)).toBe(true)
  })

  test('of any text is what the library reads of it up to its first error', () => {
    const pieces = constantFrom('"', '""', 'a', ' ', ',', '\n', '\r', '\r\n', '\u{feff}')
    assert(
      property(array(pieces, { maxLength: 30 }), (list) => {
        const table = parseCsv(list.join(''))
        const text = list
          .join('')
          .replace(/^\u{feff}+/u, '')
          .replace(/\r\n?/g, '\n')
        const { data, errors } = Papa.parse<string[]>(text, { delimiter: ',', newline: '\n' })
        const [head = [], ...rows] = data.slice(0, errors[0]?.row)
        const header = head.map((name) => name.trim())
        expect(table.header).toEqual(header)
        expect(table.rows.map(({ cells }) => cells)).toEqual(
          rows
            .filter((row) => row.length === header.length && row.some((cell) => cell.trim() !== ''))
            .map((row) => Object.fromEntries(header.map((name, index) => [name, row[index]]))),
        )
        const broken = table.faults.filter(({ code }) => code === 'unreadable_row')
        expect(broken).toHaveLength(errors.length > 0 ? 1 : 0)
      }),
      { numRuns: 2_000 },
    )
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
