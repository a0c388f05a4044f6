import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CompareMode } from '#contract/problems/compare'
import { KEPT_OUTPUT_BYTES } from '#contract/limits'
import { outputsMatch } from '../../runner/compare/compare.ts'
import {
  compareOutputs,
  marksLines,
  type ComparedLine,
} from '../../web/lib/text/compare-outputs.ts'
import {
  piecesOf,
  visibleControls,
  visibleDifference,
  visibleSpace,
} from '../../web/lib/text/line-pieces.ts'
import { bytes } from '../runner/fixtures/byte-source.ts'

type Mode = CompareMode['mode']
type JudgedMode = 'lines' | 'tokens' | 'exact'

/** Texts with characters that app and judge might treat differently: blanks, line ends, and characters that resemble them. */
const text = fc.string({
  unit: fc.constantFrom(
    ...'aAbBéÉ1😀 \t\v\f\r\n\n',
    ...'\u00a0\u0085\u3000\u200b\ufeff\u2028\u00ad\u2800',
  ),
})

/** Whether the judge itself accepts an output. */
function judgeTakes(own: string, expected: string, mode: JudgedMode, ignoreCase = false) {
  return outputsMatch({ mode, ignoreCase }, bytes(Buffer.from(own)), bytes(Buffer.from(expected)))
}

function kept(text: string, size = text.length) {
  return { text, size }
}

function compare(own: string, expected: string, mode: Mode = 'lines') {
  return compareOutputs(kept(own), kept(expected), mode)
}

function marked(lines: ComparedLine[]) {
  return lines.map(({ differs }) => differs)
}

describe('compareOutputs', () => {
  it('marks lines by the way outputs are compared, and none where others may be right too', () => {
    const differs = (mode: Mode) => marked(compare('1  2 \n', '1 2\n', mode).own)
    expect(differs('lines')).toEqual([true])
    expect(differs('tokens')).toEqual([false])
    expect(differs('exact')).toEqual([true])
    expect(compare('1', '2', 'float')).toMatchObject({
      own: [{ differs: false }],
      difference: null,
    })
    expect(marksLines('checker')).toBe(false)
    expect(marksLines('exact')).toBe(true)
  })

  it('marks lines that differ, and no white space at line ends', () => {
    expect(marked(compare('1 \n2\n', '1\n3\n').own)).toEqual([false, true])
  })

  it('a line too many at the start leaves the rest beside its counterpart', () => {
    const { own, expected } = compare('Number?\n1\n2\n', '1\n2\n')
    expect(marked(own)).toEqual([true, false, false])
    expect(expected.map(({ text }) => text)).toEqual([null, '1', '2'])
  })

  it.each<[string, string, string, Mode, object | null]>([
    ['nothing', '', '1\n', 'lines', { kind: 'empty' }],
    ['case', 'Yes\n', 'YES\n', 'lines', { kind: 'case', line: 1 }],
    ['a blank', 'a  b\n', 'a b\n', 'lines', { kind: 'space', line: 1 }],
    ['one line instead of two', '1 2\n', '1\n2\n', 'lines', { kind: 'space' }],
    ['the last line end', '1', '1\n', 'exact', { kind: 'lastLineEnd', line: 1 }],
    ['the last line end, in lines', '1', '1\n', 'lines', null],
    ['carriage returns', '1\r\n2\r\n', '1\n2\n', 'exact', { kind: 'carriageReturns', count: 2 }],
    [
      'none where they are expected',
      '1\n',
      '1\r\n',
      'exact',
      { kind: 'carriageReturns', count: 1 },
    ],
    [
      'no last line',
      '1\n2\n',
      '1\n2\n3\n4\n',
      'lines',
      { kind: 'missingLines', line: 3, count: 2 },
    ],
    ['lines too many', '1\n2\n9\n', '1\n2\n', 'lines', { kind: 'extraLines', line: 3, count: 1 }],
    ['blank lines at the end', '1\n\n\n', '1\n', 'lines', null],
    ['a blank line at the start', '\n1\n', '1\n', 'lines', { kind: 'space', line: 1, count: 1 }],
    ['a blank line missing', '1\n2\n', '1\n\n2\n', 'lines', { kind: 'space', count: 1 }],
    ['blank lines, in words', '\n1\n', '1\n', 'tokens', null],
    ['a number', '1\n3\n', '1\n2\n', 'lines', { kind: 'line', line: 2 }],
    ['a word', '1 2\n3', '1 2 4', 'tokens', { kind: 'line', line: 1 }],
    ['the layout, in words', '1\n2\n', '1 2', 'tokens', null],
  ])('says what differs: %s', (_, own, expected, mode, difference) => {
    const found = compare(own, expected, mode).difference
    if (difference === null) expect(found).toBeNull()
    else expect(found).toMatchObject(difference)
  })

  it('judges nothing behind the end of what is kept', () => {
    const own = kept('1\n2', KEPT_OUTPUT_BYTES + 1)
    expect(compareOutputs(own, kept('1\n22\n3\n'), 'lines').difference).toBeNull()
    expect(compareOutputs(own, kept('7\n22\n3\n'), 'lines').difference).toMatchObject({ line: 1 })
  })

  it('judges a text that just fits to its end, and one that is a byte longer not', () => {
    const expected = kept('1\n22\n')
    const end = (size: number) => compareOutputs(kept('1\n2', size), expected, 'lines').difference
    expect(end(KEPT_OUTPUT_BYTES)).toMatchObject({ kind: 'line', line: 2 })
    expect(end(KEPT_OUTPUT_BYTES + 1)).toBeNull()
  })

  it('judges nothing behind the end of what is kept of the expected output', () => {
    const expected = kept('1\n2', KEPT_OUTPUT_BYTES + 1)
    expect(compareOutputs(kept('1\n22\n3\n'), expected, 'lines').difference).toBeNull()
    expect(compareOutputs(kept('7\n22\n3\n'), expected, 'lines').difference).toMatchObject({
      kind: 'line',
      line: 1,
      count: 1,
    })
  })

  it('puts no lines beside each other by the end of a text that is cut', () => {
    const own = kept('0\n1\n2\n', KEPT_OUTPUT_BYTES + 1)
    expect(marked(compareOutputs(own, kept('1\n2\n'), 'lines').own)).toEqual([true, true, false])
  })

  it('says of cut texts that white space differs only where the lines themselves show it', () => {
    const size = KEPT_OUTPUT_BYTES + 1
    const cut = compareOutputs(kept('1\n2\n3', size), kept('1 2\n3', size), 'lines')
    expect(cut.difference).toMatchObject({ kind: 'line', line: 1 })
    const shown = compareOutputs(kept('1  2\n3', size), kept('1 2\n3', size), 'lines')
    expect(shown.difference).toMatchObject({ kind: 'space', line: 1 })
  })

  it('pairs a repeated line once, from the beginning and not again from the end', () => {
    const { own, expected } = compare('1\n1\n', '1\n')
    expect(marked(own)).toEqual([false, true])
    expect(expected.map(({ text }) => text)).toEqual(['1', null])
  })

  it('says on which side there is a line end alone', () => {
    const { own, expected } = compare('1', '1\n', 'exact')
    expect(own).toEqual([{ text: '1', other: '1', differs: true, end: 'missing' }])
    expect(expected).toEqual([{ text: '1', other: '1', differs: true, end: 'extra' }])
  })

  it('loses no character, pairs every line, and finds a difference exactly where the judge does', async () => {
    const modes = fc.constantFrom<[JudgedMode, boolean]>(
      ...(['lines', 'tokens', 'exact'] as const).map((mode): [JudgedMode, boolean] => [
        mode,
        false,
      ]),
      ['lines', true],
      ['tokens', true],
    )
    await fc.assert(
      fc.asyncProperty(text, text, modes, async (left, right, [mode, ignoresCase]) => {
        const { own, expected, difference } = compareOutputs(
          kept(left),
          kept(right),
          mode,
          ignoresCase,
        )
        const shown = (lines: ComparedLine[]) =>
          lines.flatMap(({ text: line }) => (line === null ? [] : [line])).join('\n')
        expect(shown(own)).toBe(left.replace(/\n$/, ''))
        expect(shown(expected)).toBe(right.replace(/\n$/, ''))
        expect(difference === null).toBe(await judgeTakes(left, right, mode, ignoresCase))
        expect(marked(own).includes(true) || marked(expected).includes(true)).toBe(
          difference !== null,
        )
        for (const { text: line, other } of own)
          if (line !== null)
            expect(
              piecesOf(line, other, mode, ignoresCase)
                .map((piece) => piece.text)
                .join(''),
            ).toBe(line)
      }),
      { numRuns: 500 },
    )
  })

  it('marks a line exactly where the judge refuses it in the mode lines', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (left, right) => {
        const { own } = compare(left, right)
        const [lines, others] = [left, right].map((side) => side.replace(/\n$/, '').split('\n'))
        expect(own.length).toBeGreaterThanOrEqual(
          Math.max(lines?.length ?? 0, others?.length ?? 0) - 1,
        )
        for (const { text: line, other, differs } of own) {
          if (line !== null && other !== null)
            expect(differs, JSON.stringify([line, other])).toBe(
              !(await judgeTakes(line, other, 'lines')),
            )
          // For the judge, a line that only one side has does not count if it and all lines after it are blank.
          else if (!differs) expect(await judgeTakes(line ?? '', other ?? '', 'lines')).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })

  it.each<[string, string, string, JudgedMode, string[]]>([
    ['a no-break space', '1\u00a02\n', '1 2\n', 'lines', ['U+00A0']],
    ['a full-width space at the end', '1\u3000\n', '1\n', 'lines', ['U+3000']],
    ['a byte order mark', '\ufeff1\n', '1\n', 'tokens', ['U+FEFF']],
    ['two, one of them on both sides', '1\u3000\u200b2', '1\u30002', 'exact', ['U+200B']],
    ['a line of nothing else', '1\n\u2003\n', '1\n', 'lines', ['U+2003']],
    ['one in the place of the other', '1\u00a02\n', '1\u30002\n', 'tokens', ['U+00A0', 'U+3000']],
  ])(
    'names what looks like a blank and is none to the judge: %s',
    async (_, own, expected, mode, unseen) => {
      expect(await judgeTakes(own, expected, mode)).toBe(false)
      expect(compare(own, expected, mode).difference).toMatchObject({ kind: 'unseen', unseen })
    },
  )
})

describe('a line', () => {
  function differing(text: string, other: string, mode: Mode = 'lines') {
    return piecesOf(text, other, mode).flatMap((piece) => (piece.differs ? [piece.text] : []))
  }

  it.each<[string, string, Mode, string[]]>([
    ['1 2 3 4', '1 5 3 6', 'lines', ['2', '4']],
    ['Yes', 'YES', 'lines', ['es']],
    ['a  b', 'a b', 'lines', [' ']],
    ['a  b', 'a c', 'tokens', ['b']],
    ['ab  ', 'ac', 'lines', ['b']],
    ['ab ', 'ab', 'exact', [' ']],
    ['😀x', '😁x', 'lines', ['😀']],
  ])('%j beside %j (%s) marks %j', (text, other, mode, pieces) => {
    expect(differing(text, other, mode)).toEqual(pieces)
  })

  it('marks no letter whose case is ignored', () => {
    const pieces = piecesOf('YES 1 É', 'yes 2 é', 'tokens', true)
    expect(pieces.filter(({ differs }) => differs).map((piece) => piece.text)).toEqual(['1', 'É'])
  })

  it('shows white space', () => {
    expect(visibleSpace('a b\t\r')).toBe('a·b→\t␍')
    expect(visibleSpace('\0\x1b[31m\x7f')).toBe('␀␛[31m␡')
    expect(visibleControls('a b\t\0')).toBe('a b\t␀')
    expect(visibleDifference('a\u00a0 \u200b\ufeff')).toBe('a<U+00A0>·<U+200B><U+FEFF>')
  })
})
