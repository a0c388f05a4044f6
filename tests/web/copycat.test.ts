import { describe, expect, test } from 'vitest'
import type { CopycatPair, CopycatSide } from '#contract/copycat'
import { codePieces } from '../../web/features/copycat/code-pieces.ts'
import { pairsOf, SORT_KEYS, sortPairs } from '../../web/features/copycat/pairs.ts'

describe('the pieces of a program', () => {
  test('are its lines, cut where parts begin and end; a part over several lines begins once', () => {
    const code = 'a b c\nd e\n\nf g'
    const parts = [
      { start: 8, end: 12 },
      { start: 2, end: 7 },
    ]
    expect(codePieces(code, parts)).toEqual([
      [
        { text: 'a ', part: null, isFirst: false },
        { text: 'b c', part: 1, isFirst: true },
      ],
      [
        { text: 'd', part: 1, isFirst: false },
        { text: ' ', part: null, isFirst: false },
        { text: 'e', part: 0, isFirst: true },
      ],
      [],
      [
        { text: 'f', part: 0, isFirst: false },
        { text: ' g', part: null, isFirst: false },
      ],
    ])
  })

  test.each([
    ['', []],
    ['\n', []],
    ['one', [{ start: 0, end: 3 }]],
    [
      'one two',
      [
        { start: 0, end: 3 },
        { start: 3, end: 7 },
      ],
    ],
    ['a\nb\nc\n', [{ start: 0, end: 5 }]],
    ['a\r\n\tb\n', [{ start: 4, end: 5 }]],
  ])('together are the program again: %j', (code, parts) => {
    const lines = codePieces(code, parts)
    expect(lines.map((pieces) => pieces.map(({ text }) => text).join('')).join('\n')).toBe(code)
    const firsts = lines.flat().filter(({ isFirst }) => isFirst)
    expect(firsts.map(({ part }) => part).toSorted()).toEqual(parts.map((_, part) => part))
  })
})

describe('pairs', () => {
  function sideOf(username: string, displayedName = ''): CopycatSide {
    const user = { username, displayedName, role: 2 } as const
    return { submissionId: '0'.repeat(24), user, timestamp: 1, languageType: 0 }
  }
  const pairs: CopycatPair[] = [
    {
      left: sideOf('bea', 'Tree'),
      right: sideOf('Cem'),
      similarity: 0.9,
      longest: 20,
      overlap: 90,
    },
    {
      left: sideOf('ali'),
      right: sideOf('bea', 'Tree'),
      similarity: 0.5,
      longest: 30,
      overlap: 40,
    },
    { left: sideOf('Cem'), right: sideOf('ali'), similarity: 0.5, longest: 10, overlap: 50 },
  ]
  const order = (by: string, descending: boolean) =>
    sortPairs(pairs, { by, descending }).map((pair) => pairs.indexOf(pair))

  test('are sorted by every column in both directions, equal ones as they came', () => {
    expect(order(SORT_KEYS.similarity, true)).toEqual([0, 1, 2])
    expect(order(SORT_KEYS.similarity, false)).toEqual([1, 2, 0])
    expect(order(SORT_KEYS.longest, true)).toEqual([1, 0, 2])
    expect(order(SORT_KEYS.overlap, true)).toEqual([0, 2, 1])
    expect(order(SORT_KEYS.left, false)).toEqual([1, 0, 2])
    expect(order(SORT_KEYS.right, false)).toEqual([2, 1, 0])
  })

  test('are found by either person’s username or name', () => {
    const found = (text: string) => pairsOf(pairs, text).map((pair) => pairs.indexOf(pair))
    expect(found('')).toEqual([0, 1, 2])
    expect(found(' CEM ')).toEqual([0, 2])
    expect(found('tree')).toEqual([0, 1])
    expect(found('nobody')).toEqual([])
  })
})
