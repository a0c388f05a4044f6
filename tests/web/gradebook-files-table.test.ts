/** Tables of any content: their cells are read as they were written, and only those that are filled change. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decimalSignOf,
  readHundredths,
  writeHundredths,
} from '../../web/lib/gradebook-files/cell-numbers.ts'
import { decodeGradebook, encodeGradebook } from '../../web/lib/gradebook-files/decode.ts'
import { openGradebook, withValues } from '../../web/lib/gradebook-files/open.ts'
import { recognise } from '../../web/lib/gradebook-files/systems.ts'
import { replaceCells, splitTable } from '../../web/lib/gradebook-files/table.ts'
import { filled, PEOPLE } from './fixtures/gradebooks.ts'

/** Letters that mean something to a reader of tables, and some that do not. */
const hostile = fc
  .array(
    fc.constantFrom(
      ',',
      ';',
      '\t',
      '"',
      '\r',
      '\n',
      '\r\n',
      'a',
      '王',
      'é',
      '=',
      '#',
      '-',
      '1',
      ' ',
      '\u{feff}',
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''))

const table = fc.record({
  rows: fc.integer({ min: 2, max: 5 }).chain((width) =>
    fc.array(fc.array(hostile, { minLength: width, maxLength: width }), {
      minLength: 1,
      maxLength: 6,
    }),
  ),
  delimiter: fc.constantFrom(',', ';', '\t'),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  hasLastEnd: fc.boolean(),
  hasMark: fc.boolean(),
  quotesAll: fc.boolean(),
})

type Table = typeof table extends fc.Arbitrary<infer T> ? T : never

/** The text of a table whose head has as many plain cells as the rows. */
function textOf({ rows, delimiter, lineEnd, hasLastEnd, hasMark, quotesAll }: Table): string {
  const head = (rows[0] ?? []).map((_, index) => `h${index}`)
  const lines = [head, ...rows].map((cells) =>
    cells
      .map((cell) =>
        quotesAll || /[",;\t\r\n\u{feff}]/u.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
      )
      .join(delimiter),
  )
  return `${hasMark ? '\u{feff}' : ''}${lines.join(lineEnd)}${hasLastEnd ? lineEnd : ''}`
}

function split(text: string) {
  const found = splitTable(text)
  if ('unclosedRow' in found) throw new Error('A quotation mark is not closed.')
  return found
}

describe('any table', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(table, (written) => {
        const [, ...rows] = split(textOf(written)).rows
        expect(rows.map((cells) => cells.map(({ value }) => value))).toEqual(written.rows)
      }),
    )
  })

  it('changes in the filled cells alone', () => {
    fc.assert(
      fc.property(
        table,
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 0, max: 9_999 }),
        (written, a, b, number) => {
          const text = textOf(written)
          const before = split(text)
          const row = 1 + (a % written.rows.length)
          const column = b % (written.rows[0]?.length ?? 1)
          const after = split(replaceCells(before, [{ row, column, value: String(number) }]))
          const { start, end } = before.rows[row]?.[column] ?? { start: 0, end: 0 }
          expect(after.text.startsWith(text.slice(0, start))).toBe(true)
          expect(after.text.endsWith(text.slice(end))).toBe(true)
          const expected = before.rows.map((cells) => cells.map(({ value }) => value))
          expected[row]?.splice(column, 1, String(number))
          expect(after.rows.map((cells) => cells.map(({ value }) => value))).toEqual(expected)
        },
      ),
    )
  })
})

describe('any text', () => {
  const encodings = fc.constantFrom('utf-8', 'utf-16le', 'utf-16be')

  it('is split without losing a letter, or named as unclosed', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const found = splitTable(text)
        if ('unclosedRow' in found) return
        let at = text.startsWith('\u{feff}') ? 1 : 0
        for (const { start, end } of found.rows.flat()) {
          expect(text.slice(at, start)).toMatch(/^(?:[,;\t]|\r\n|\r|\n)?$/)
          at = end
        }
        expect(text.slice(at)).toMatch(/^(?:\r\n|\r|\n)?$/)
      }),
    )
  })

  it('has the same bytes afterwards if nothing is filled', () => {
    fc.assert(
      fc.property(
        fc.oneof(hostile, fc.string({ unit: 'grapheme' })),
        encodings,
        (text, encoding) => {
          const marked = encoding === 'utf-8' ? text : `\u{feff}${text}`
          const bytes = encodeGradebook({ text: marked, encoding })
          const file = openGradebook(bytes)
          if ('why' in file) return
          expect(file.encoding).toBe(encoding)
          expect(withValues(file, [])).toEqual(bytes)
        },
      ),
    )
  })

  it('below any head is filled or refused, and does not fail', () => {
    const heads = fc.constantFrom(
      'Student,ID,SIS User ID,SIS Login ID,Section,Loops (1)\n',
      'First name,Surname,Email address,Assignment: Loops (Real),Feedback: Assignment: Loops\n',
      'Username,Loops [Total Pts: 50 Score] |1\n',
      'OrgDefinedId,Loops Points Grade,End-of-Line Indicator\n',
      '__proto__,constructor\n',
      'sep=;\nname;Loops\n',
    )
    fc.assert(
      fc.property(heads, hostile, (head, text) => {
        const bytes = new TextEncoder().encode(head + text)
        if ('why' in openGradebook(bytes)) return
        const { report, after } = filled(bytes, { isEmptyZero: true })
        expect(report.byRow.size).toBeLessThanOrEqual(PEOPLE.length)
        if (report.changes.length === 0) expect(after).toEqual(bytes)
      }),
    )
  })

  it('of arbitrary bytes is the same text again, or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const decoded = decodeGradebook(bytes)
        if (typeof decoded !== 'string')
          expect(encodeGradebook(decoded)).toEqual(new Uint8Array(bytes))
      }),
    )
  })
})

describe('numbers', () => {
  it('are written as they are read, with either sign', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000_000 }),
        fc.constantFrom('.', ','),
        (value, sign) => {
          const text = writeHundredths(value, sign)
          expect(text).toMatch(/^\d+([.,](\d|\d?[1-9]))?$/)
          expect(readHundredths(text)).toBe(value)
        },
      ),
    )
  })

  it.each([
    ['1,000', 'decimals'],
    ['1.000', 'decimals'],
    ['0,125', 'decimals'],
    ['40.00000', 4_000],
    ['40.00001', 'decimals'],
    ['1,000.00', 'number'],
    ['−2,5', -250],
  ])('read %s as %s', (text, read) => {
    expect(readHundredths(text)).toBe(read)
  })

  it('tell the decimal sign; a point if they do not', () => {
    expect(decimalSignOf(['12', '3,5', 'x'])).toBe(',')
    expect(decimalSignOf(['3.5', '1,234', '2.25'])).toBe('.')
    expect(decimalSignOf(['', '7'])).toBe('.')
  })
})

it('a first line that names the delimiter is no head', () => {
  expect(recognise(split('sep=;\nname;Loops\nann;3\n'), null)).toMatchObject({ headRow: 1 })
})
