import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Comparison, outputsMatch } from '../../../runner/compare/compare.ts'
import { bytes } from '../fixtures/byte-source.ts'

const TOKENS: Comparison = { mode: 'tokens' }
const LETTERS: Comparison = { mode: 'tokens', ignoreCase: true }
const LETTER_LINES: Comparison = { mode: 'lines', ignoreCase: true }
const FLOAT: Comparison = { mode: 'float' }
const EXACT: Comparison = { mode: 'exact' }

function same(mode: Comparison, output: Buffer, expected: Buffer, step = 64 * 1024, other = step) {
  return outputsMatch(mode, bytes(output, step), bytes(expected, other))
}

const TABLE: [mode: Comparison, output: string, expected: string, same: boolean, why: string][] = [
  [TOKENS, '', '', true, 'nothing and nothing'],
  [TOKENS, ' \n\t', '', true, 'white space only'],
  [TOKENS, '1 2\n3', '1\n2 3\r\n', true, 'any white space between'],
  [TOKENS, '  1', '1', true, 'white space at the start'],
  [TOKENS, '1\v\f2', '1 2', true, 'vertical tab and form feed'],
  [TOKENS, '12', '1 2', false, 'no white space between'],
  [TOKENS, '1 2', '1', false, 'a token more'],
  [TOKENS, '1', '1 2', false, 'a token less'],
  [TOKENS, '', '1', false, 'no output'],
  [TOKENS, '1.0', '1', false, 'another spelling of a number'],
  [TOKENS, 'a\0b', 'a\0b', true, 'NUL'],
  [TOKENS, 'a\0b', 'a b', false, 'NUL is not white space'],
  [TOKENS, 'A', 'a', false, 'another case'],
  [TOKENS, '1 2 3', '1 0 3', false, 'another token in the middle'],
  [LETTERS, 'YES no', 'Yes\nNo', true, 'letter case is ignored'],
  [LETTERS, '[@`{', '{`@[', false, 'signs beside the letters are no letters'],
  [LETTERS, '@', '`', false, 'a sign just before A'],
  [LETTERS, '\xc9', '\xe9', false, 'bytes beyond ASCII are no letters'],
  [LETTER_LINES, 'YES \nNo', 'yes\nno\n', true, 'letter case of lines is ignored'],
  [LETTER_LINES, 'a b', 'A  B', false, 'white space within a line still counts'],
  [
    { mode: 'lines', ignoreCase: false },
    'A',
    'a',
    false,
    'letter case counts unless it is ignored',
  ],
  [EXACT, 'a\n', 'a\n', true, 'the same'],
  [EXACT, 'a', 'a\n', false, 'no newline at the end'],
  [EXACT, 'a \n', 'a\n', false, 'a space at the end of a line'],
  [EXACT, '', '', true, 'nothing and nothing'],
  [EXACT, '', '\0', false, 'nothing and NUL'],
  [FLOAT, '1.0000001', '1', true, 'within 1e-6'],
  [FLOAT, '1.00001', '1', false, 'beyond 1e-6'],
  [FLOAT, '1000000.5', '1000000', true, 'within 1e-6 of a large number'],
  [FLOAT, '0.0000005', '0', true, 'near zero the absolute tolerance counts'],
  [FLOAT, '1e0 .5 5. +2 -0', '1 0.5 5 2 0', true, 'spellings of decimals'],
  [FLOAT, '10', '0x0a', false, 'hexadecimal'],
  [FLOAT, '1_0', '10', false, 'underscores'],
  [FLOAT, 'nan inf', 'nan inf', true, 'nan and inf literally'],
  [FLOAT, 'NaN', 'nan', false, 'another nan'],
  [FLOAT, 'inf', 'Infinity', false, 'another inf'],
  [FLOAT, '1e999', 'inf', false, 'a number that is not finite, and inf'],
  [FLOAT, '1e999', '2e999', false, 'two numbers that are not finite'],
  [FLOAT, '1e999', '1e999', true, 'the same token, finite or not'],
  [FLOAT, '1', '1e999', false, 'a number, and one that is not finite'],
  [FLOAT, '0 0.9999999 2 3 4 5 6', '0 1 2 3 4 5 6', true, 'numbers of other lengths'],
  [FLOAT, 'yes 1', 'yes 1.0', true, 'words beside numbers'],
  [FLOAT, 'yes', 'no', false, 'other words'],
  [FLOAT, '1 2', '1', false, 'a token more'],
  [FLOAT, '1e', '1', false, 'half an exponent'],
  [FLOAT, '.', '0', false, 'a point alone'],
  [{ mode: 'float', absolute: 0.5 }, '1.5', '1', true, 'exactly the absolute tolerance'],
  [{ mode: 'float', absolute: 0.5 }, '1000001', '1000000', false, 'no relative one beside it'],
  [{ mode: 'float', relative: 0.1 }, '110', '100', true, 'exactly the relative tolerance'],
  [{ mode: 'float', relative: 0.1 }, '-110', '-100', true, 'of a negative number'],
  [{ mode: 'float', relative: 0.1 }, '-110.1', '-100', false, 'just beyond that of a negative one'],
  [{ mode: 'float', relative: 0.1 }, '100', '110.5', true, 'of the expected number'],
  [{ mode: 'float', relative: 0.1 }, '0.0000001', '0', false, 'relative to zero'],
  [{ mode: 'float', absolute: 0, relative: 0 }, '1.0', '1', true, 'no tolerance, the same number'],
]

describe('comparing', () => {
  it.each(TABLE)('by %j: %j against %j is %s: %s', async (mode, output, expected, result) => {
    for (const step of [1, 2, 3, 64 * 1024]) {
      const [left, right] = [Buffer.from(output, 'latin1'), Buffer.from(expected, 'latin1')]
      expect(await same(mode, left, right, step, 7)).toBe(result)
      expect(await same(mode, left, right, 5, step)).toBe(result)
    }
  })
})

it.each(['x', '.', 'e', '.5.5', 'e+'])(
  'a long token that is no number because of its end (%s) is told from one at once',
  async (end) => {
    const compareCost = async (digits: number) => {
      const output = Buffer.from('1'.repeat(digits) + end)
      const before = process.threadCpuUsage()
      expect(await same(FLOAT, output, Buffer.from('1'))).toBe(false)
      const { user, system } = process.threadCpuUsage(before)
      return user + system
    }
    await compareCost(60_000)
    // If the expression tried every way to cut the digits in two, twenty times as many digits would cost four hundred times as much.
    expect(await compareCost(1_200_000)).toBeLessThan(
      100 * Math.max(10_000, await compareCost(60_000)),
    )
  },
)

/** Texts of few different bytes, so that parts often match. */
const text = fc
  .array(fc.constantFrom(' ', '\n', '\r', '\0', '\xff', '1', '2', '.', '-', 'e', '1.0', 'nan'), {
    maxLength: 12,
  })
  .map((parts) => Buffer.from(parts.join(''), 'latin1'))
/** Two texts; some are the same but for their white space. */
const pair = fc.oneof(
  fc.tuple(text, text),
  text.map((one): [Buffer, Buffer] => [
    one,
    Buffer.from(one.toString('latin1').replaceAll(' ', '\n\t'), 'latin1'),
  ]),
)
const step = fc.integer({ min: 1, max: 4 })

function words(content: Buffer): string[] {
  return content
    .toString('latin1')
    .split(/[ \t\n\v\f\r]+/)
    .filter((word) => word !== '')
}

/** A finite decimal number as JavaScript reads it; null for anything else. */
function decimal(word: string): number | null {
  if (!/^[-+.0-9e]+$/.test(word) || !Number.isFinite(Number(word))) return null
  return Number(word)
}

function alike(output: string, expected: string): boolean {
  if (output === expected) return true
  const [got, wanted] = [decimal(output), decimal(expected)]
  if (got === null || wanted === null) return false
  return Math.abs(got - wanted) <= 0.5 || Math.abs(got - wanted) <= 0.01 * Math.abs(wanted)
}

describe('agrees with the rule said plainly', () => {
  const REFERENCE: [Comparison, (output: Buffer, expected: Buffer) => boolean][] = [
    [EXACT, (output, expected) => output.equals(expected)],
    [TOKENS, (output, expected) => words(output).join(' ') === words(expected).join(' ')],
    [
      { mode: 'float', absolute: 0.5, relative: 0.01 },
      (output, expected) => {
        const [left, right] = [words(output), words(expected)]
        return left.length === right.length && left.every((word, n) => alike(word, right[n] ?? ''))
      },
    ],
  ]
  it.each(REFERENCE)('by %j', async (mode, plainly) => {
    await fc.assert(
      fc.asyncProperty(pair, step, step, async ([output, expected], one, other) => {
        expect(await same(mode, output, expected, one, other)).toBe(plainly(output, expected))
      }),
      { numRuns: 2_000 },
    )
  })
})

/** A token as long as a chunk. */
const CHUNK_OF_X = 'x'.repeat(64 * 1024)
const CHUNK_OF_0 = '0'.repeat(64 * 1024)

describe('large outputs', () => {
  it('have tokens of any length', async () => {
    const long = Buffer.alloc(3_000_000, 'x')
    const [spaced, other] = [Buffer.concat([long, Buffer.from(' 1')]), Buffer.from(long)]
    other[other.length - 1] = 0x79
    for (const mode of [TOKENS, FLOAT]) {
      expect(await same(mode, spaced, Buffer.concat([Buffer.from('\n'), spaced]))).toBe(true)
      expect(await same(mode, long, other)).toBe(false)
      expect(await same(mode, long, long.subarray(1))).toBe(false)
      expect(await same(mode, long.subarray(1), long)).toBe(false)
      expect(await same(mode, spaced, long)).toBe(false)
      // Exactly a chunk, one less and one more.
      for (const size of [65_535, 65_536, 65_537]) {
        const token = long.subarray(0, size)
        const twice = Buffer.concat([token, Buffer.from(' '), token])
        expect(await same(mode, twice, Buffer.concat([twice, Buffer.from('\n')]), 60_000)).toBe(
          true,
        )
        expect(await same(mode, twice, token)).toBe(false)
      }
    }
  })

  it.each([TOKENS, FLOAT])('have tokens across the border of a chunk, by %j', async (mode) => {
    const texts = [1, 2, 3, 4, 5, 6, 7].map((spaces) =>
      Buffer.from(`begin${' '.repeat(spaces)}${'123 '.repeat(20_000)}`),
    )
    for (const output of texts)
      for (const expected of texts) expect(await same(mode, output, expected)).toBe(true)
  })

  it.each<[string, Comparison, string, string]>([
    ['white space after a chunk', TOKENS, `${CHUNK_OF_X} 1`, `${CHUNK_OF_X}1`],
    ['another first byte', TOKENS, `y${CHUNK_OF_X}`, `z${CHUNK_OF_X}`],
    ['a number that does not fit into a chunk', FLOAT, `1.${CHUNK_OF_0}`, '1'],
    ['such a number, and its rest as a token', FLOAT, `1.${CHUNK_OF_0}`, '1 00'],
    [
      'a number at the end of a long token',
      FLOAT,
      `${CHUNK_OF_X}1.00000000`,
      `${CHUNK_OF_X}1.00000001`,
    ],
  ])('differ by %s', async (_what, mode, output, expected) => {
    const [left, right] = [Buffer.from(output), Buffer.from(expected)]
    expect(await same(mode, left, right)).toBe(false)
    expect(await same(mode, right, left)).toBe(false)
    expect(await same(mode, left, left)).toBe(true)
  })

  it('of millions of tokens need no memory for them', async () => {
    const numbers = Buffer.alloc(4_200_000, '1.50 2\n')
    const others = Buffer.alloc(6_000_000, '1.5000  2\n')
    const before = process.memoryUsage().arrayBuffers
    expect(await same(FLOAT, numbers, others.subarray(0, 5_999_990))).toBe(false)
    expect(await same(FLOAT, numbers, others)).toBe(true)
    expect(await same(EXACT, numbers, Buffer.from(numbers))).toBe(true)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1024 * 1024)
  })
})
