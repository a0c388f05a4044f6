import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SOURCE_LIMIT_BYTES } from '#contract/limits'
import type { CopyFamily } from '#contract/languages'
import { comparePair } from '../../../worker/features/copycat/compare-pair.ts'
import { buildCorpus } from '../../../worker/features/copycat/corpus.ts'
import { fingerprintsOf, gramHashes } from '../../../worker/features/copycat/fingerprints.ts'
import { COPYCAT } from '../../../worker/features/copycat/limits.ts'
import { matcherOf } from '../../../worker/features/copycat/matching.ts'
import { templateHashes } from '../../../worker/features/copycat/template.ts'
import { tokenize } from '../../../worker/features/copycat/tokens.ts'
import { PRIMES, PRIMES_DISGUISED, PYTHON_PRIMES, WORDS } from '../support/copycat-programs.ts'

const NOTHING_COMMON = new Set<number>()

function similarity(left: string, right: string, family: CopyFamily = 'c'): number {
  return comparePair([left, right], family, NOTHING_COMMON).similarity
}

function textsOf(code: string, family: CopyFamily): string[] {
  const { starts, ends } = tokenize(code, family)
  return [...starts].map((start, index) => code.slice(start, ends[index]))
}

/** A text of this length that repeats a piece. */
function repeated(piece: string, length = SOURCE_LIMIT_BYTES): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
}

/** Pseudo-random numbers, the same in every run (Numerical Recipes' generator). */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state >>> 16
  }
}

/** A long program whose statements have an order of their own. */
function longProgram(seed: number, length = SOURCE_LIMIT_BYTES): string {
  const statements = [
    'if (a < b) c = d[e];',
    'f(g, h);',
    'i += j * k;',
    'while (l--) {',
    '}',
    'm ^= n;',
  ]
  const random = numbers(seed)
  let code = ''
  while (code.length < length - 30) code += `${statements[random.next().value % 6] ?? ''}\n`
  return code
}

describe('tokens', () => {
  test.each<[string, CopyFamily, string, string[]]>([
    ['comments and includes', 'c', '#include <a>\nx/*y*/+// z\\\n still\n1', ['x', '+', '1']],
    [
      'operators as long as can be',
      'c',
      'a<<=b->*c<=>d',
      ['a', '<<=', 'b', '->*', 'c', '<=>', 'd'],
    ],
    ['numbers', 'c', "1'000 0x1p-3 .5e+7f 1..2", ["1'000", '0x1p-3', '.5e+7f', '1..2']],
    [
      'texts',
      'c',
      `u8"a\\"b" L'\\'' R"x(a)" )x" "open`,
      [`u8"a\\"b"`, `L'\\''`, `R"x(a)" )x"`, '"open'],
    ],
    ['a comment without an end', 'c', 'a /* b', ['a']],
    ['a raw text without an end', 'c', 'R"(a)', ['R"(a)']],
    ['Python', 'py3', 'x = rb"#" # c\nif x:\n\tpass', ['x', '=', 'rb"#"', 'if', 'x', ':', 'pass']],
    [
      'doc strings',
      'py3',
      `def f():\n  """d"""\n  return """e"""`,
      ['def', 'f', '(', ')', ':', 'return', '"""e"""'],
    ],
    ['a text in triple quotes without an end', 'py3', `a = '''b\n'c\\`, ['a', '=', `'''b\n'c\\`]],
    ['what is no token anywhere', 'py3', 'a ? \0$', ['a', '?', '\0', '$']],
    ['letters of every script', 'c', '數 = größe;', ['數', '=', 'größe', ';']],
  ])('%s', (_, family, code, expected) => {
    expect(textsOf(code, family)).toEqual(expected)
  })

  test('names, numbers and texts are each one kind, keywords and operators are themselves', () => {
    const { kinds } = tokenize('for (i = 10; j < "a"; k++) while', 'c')
    const [loop, , name, , number, , name2, less, text, , name3, plus, , loop2] = kinds
    expect(new Set([name, name2, name3]).size).toBe(1)
    expect(new Set([loop, loop2, name, number, text, less, plus]).size).toBe(7)
    expect(tokenize('a and not b', 'c').kinds).toEqual(tokenize('x && !y', 'c').kinds)
  })
})

describe('fingerprints', () => {
  test('a rolling hash depends on nothing but the tokens of its k-gram', () => {
    const { kinds } = tokenize(PRIMES, 'c')
    const all = gramHashes(kinds)
    for (const at of [0, 1, 17, all.length - 1])
      expect(gramHashes(kinds.slice(at, at + COPYCAT.gramTokens))[0]).toBe(all[at])
  })

  test('every window of k-grams has one (Schleimer, Wilkerson and Aiken, their guarantee)', () => {
    const { kinds } = tokenize(longProgram(5, 4_000), 'c')
    const { positions, hashes } = fingerprintsOf(kinds)
    const grams = gramHashes(kinds)
    for (let from = 0; from + COPYCAT.windowGrams <= grams.length; from += 1) {
      const inside = [...positions].filter((at) => at >= from && at < from + COPYCAT.windowGrams)
      const smallest = Math.min(...grams.slice(from, from + COPYCAT.windowGrams))
      expect(inside.map((at) => grams[at])).toContain(smallest)
    }
    expect([...hashes]).toEqual([...positions].map((at) => grams[at]))
    expect(positions.length).toBeLessThan(grams.length / 3)
  })
})

describe('similarity', () => {
  test.each<[string, string, CopyFamily]>([
    ['C', PRIMES, 'c'],
    ['C++', WORDS, 'c'],
    ['Python', PYTHON_PRIMES, 'py3'],
    ['a program shorter than a k-gram', 'int main(){}', 'c'],
    ['one token', ';', 'c'],
    ['one sign again and again', repeated(';'), 'c'],
    ['64 KiB', longProgram(1), 'c'],
  ])('identical programs have 1: %s', (_, code, family) => {
    const {
      similarity: found,
      longest,
      overlap,
      fragments,
    } = comparePair([code, code], family, NOTHING_COMMON)
    const tokens = tokenize(code, family).kinds.length
    expect([found, longest, overlap, fragments.length]).toEqual([1, tokens, tokens, 1])
  })

  test('other names, values, comments and layout change nothing', () => {
    const renamed = PRIMES.replaceAll('candidate', 'x1')
      .replaceAll('sum', 's')
      .replaceAll('10', '0xA')
      .replaceAll(';', '; // done\n')
    expect(similarity(PRIMES, renamed)).toBe(1)
    const python = PYTHON_PRIMES.replaceAll('candidate', 'n')
      .replaceAll('  ', ' ')
      .replace('import sys', 'import sys # needed')
    expect(similarity(PYTHON_PRIMES, python, 'py3')).toBe(1)
  })

  test('functions in another order stay close to 1, a part that was added lowers it by its size', () => {
    expect(similarity(PRIMES, PRIMES_DISGUISED)).toBeGreaterThan(0.95)
    const longer = PRIMES + WORDS
    const [own, added] = [PRIMES, WORDS].map((code) => tokenize(code, 'c').kinds.length)
    expect(similarity(PRIMES, longer)).toBeCloseTo(
      (2 * (own ?? 0)) / (2 * (own ?? 0) + (added ?? 0)),
      1,
    )
  })

  test('programs that have nothing to do with each other stay low', () => {
    expect(similarity(PRIMES, WORDS)).toBeLessThan(0.1)
    expect(similarity(longProgram(1, 4_000), PRIMES)).toBeLessThan(0.1)
  })

  test.each([
    ['both empty', '', ''],
    ['one empty', PRIMES, ''],
    ['comments only', '// a', '/* a */'],
    ['one token each', ';', '+'],
    ['a short one inside a long one', PRIMES, 'int main(void)'],
  ])('%s: 0', (_, left, right) => {
    expect(comparePair([left, right], 'c', NOTHING_COMMON)).toMatchObject({
      similarity: 0,
      longest: 0,
      overlap: 0,
      fragments: [],
    })
  })

  test('is the same whichever program is the left one, and never above 1', () => {
    const programs = [1, 2, 3].map((seed) => longProgram(seed, 3_000))
    for (const left of programs)
      for (const right of programs) {
        const there = similarity(left, right)
        expect(there).toBeLessThanOrEqual(1)
        expect(Math.abs(there - similarity(right, left))).toBeLessThan(0.1)
      }
  })

  test('fragments name the same tokens in both texts, in no token twice, with offsets and lines', () => {
    const { fragments } = comparePair([PRIMES, PRIMES_DISGUISED], 'c', NOTHING_COMMON)
    expect(fragments.length).toBeGreaterThanOrEqual(3)
    let end = 0
    const marked = new Set<number>()
    for (const { left, right, tokens } of fragments) {
      expect(left.start).toBeGreaterThanOrEqual(end)
      end = left.end
      const [ours, theirs] = [
        tokenize(PRIMES.slice(left.start, left.end), 'c').kinds,
        tokenize(PRIMES_DISGUISED.slice(right.start, right.end), 'c').kinds,
      ]
      expect(ours).toEqual(theirs)
      expect(ours.length).toBe(tokens)
      expect(PRIMES.slice(0, left.start).split('\n').length).toBe(left.startLine)
      expect(PRIMES_DISGUISED.slice(0, right.end).split('\n').length).toBe(right.endLine)
      for (let at = right.start; at < right.end; at += 1) {
        expect(marked.has(at)).toBe(false)
        marked.add(at)
      }
    }
  })
})

describe('whatever two programs hold', () => {
  const words = [
    'int',
    'x',
    '1',
    '+',
    '(',
    ')',
    '{',
    '}',
    ';',
    '"a"',
    '/*',
    '*/',
    "'''",
    '\n',
    '#',
    ' ',
  ]
  /** Words in any order, with pieces that are repeated. */
  const program = fc
    .array(fc.tuple(fc.array(fc.constantFrom(...words), { maxLength: 30 }), fc.nat(3)))
    .map((pieces) => pieces.map(([piece, times]) => piece.join(' ').repeat(times + 1)).join(' '))
  const edited = fc.tuple(program, program, program)

  test('the numbers fit each other and the fragments, and no token is in two of them', () => {
    fc.assert(
      fc.property(edited, fc.constantFrom('c', 'py3'), ([before, shared, after], family) => {
        const [leftCode, rightCode] = [`${before} ${shared}`, `${shared} ${after}`]
        const pair = comparePair([leftCode, rightCode], family, NOTHING_COMMON)
        const [left, right] = [tokenize(leftCode, family), tokenize(rightCode, family)]
        const total = left.kinds.length + right.kinds.length
        expect(pair.similarity).toBeLessThanOrEqual(1)
        expect(pair.similarity * total).toBeCloseTo(2 * pair.overlap)
        const tokens = pair.fragments.map((fragment) => fragment.tokens)
        expect(tokens.reduce((sum, count) => sum + count, 0)).toBe(pair.overlap)
        expect(Math.max(0, ...tokens)).toBe(pair.longest)
        for (const side of ['left', 'right'] as const) {
          const { starts, ends } = side === 'left' ? left : right
          const covered = pair.fragments.flatMap((fragment) =>
            [...starts.keys()].filter(
              (at) =>
                (starts[at] ?? 0) >= fragment[side].start && (ends[at] ?? 0) <= fragment[side].end,
            ),
          )
          expect(new Set(covered).size).toBe(covered.length)
          expect(covered.length).toBe(pair.overlap)
        }
      }),
      { numRuns: 300, seed: 20_261_120 },
    )
  })

  test('a program has everything in common with itself, unless it holds nothing', () => {
    fc.assert(
      fc.property(program, fc.constantFrom('c', 'py3'), (code, family) => {
        const isEmpty = tokenize(code, family).kinds.length === 0
        expect(similarity(code, code, family)).toBe(isEmpty ? 0 : 1)
      }),
      { numRuns: 200, seed: 20_261_120 },
    )
  })
})

describe('boilerplate', () => {
  test('what too many programs have does not count, what few of them share does', () => {
    const template = longProgram(7, 2_000)
    const own = Array.from({ length: 12 }, (_, index) => longProgram(100 + index, 1_000))
    const programs = own.map((code) => `${template}\n${code}`)
    programs.push(`${template}\n${own[3] ?? ''}`)
    const corpus = buildCorpus(
      programs.map((code) => tokenize(code, 'c').kinds),
      NOTHING_COMMON,
      COPYCAT.commonPrograms,
    )
    const match = matcherOf(corpus)
    const [copied, original, other] = [corpus.programs[12], corpus.programs[3], corpus.programs[4]]
    if (!copied || !original || !other) throw new Error('programs are missing')
    const against = match(copied)
    expect(against(original).similarity).toBe(1)
    expect(against(other).similarity).toBeLessThan(0.5)
    const templateTokens = tokenize(template, 'c').kinds.length
    expect(original.counted).toBeLessThan(original.kinds.length - 0.9 * templateTokens)
    // The page of this pair also leaves these parts out as boilerplate.
    const known = new Set(corpus.common)
    const pair = comparePair([programs[3] ?? '', programs[4] ?? ''], 'c', known)
    expect(pair.similarity).toBeCloseTo(against(other).similarity, 1)
  })

  test('code blocks of the statement do not count, in the family they are written for', () => {
    const description = {
      description: `Use this:\n\n\`\`\`c\n${PRIMES}\`\`\`\n\nor\n\n~~~python\n${PYTHON_PRIMES}~~~\n`,
      input: '',
      output: 'not closed:\n```\nint x;',
      hint: '',
      sampleInput: [],
      sampleOutput: [],
    }
    const inC = templateHashes(description, 'c')
    const inPython = templateHashes(description, 'py3')
    expect(comparePair([PRIMES, PRIMES], 'c', inC).overlap).toBe(0)
    expect(comparePair([PYTHON_PRIMES, PYTHON_PRIMES], 'py3', inPython).overlap).toBe(0)
    expect(comparePair([WORDS, WORDS], 'c', inC).similarity).toBe(1)
    const pair = comparePair([PRIMES + WORDS, PRIMES + WORDS], 'c', inC)
    expect(pair.similarity).toBe(1)
    expect(pair.overlap).toBeLessThan(1.2 * tokenize(WORDS, 'c').kinds.length)
  })

  test('at either end of what two programs share is in no fragment', () => {
    const description = `\`\`\`c\n${PRIMES}\`\`\`\n`
    const others = { input: '', output: '', hint: '', sampleInput: [], sampleOutput: [] }
    const template = templateHashes({ description, ...others }, 'c')
    const lines = PRIMES.split('\n')
    const half = Math.ceil(lines.length / 2)
    const [begin, rest] = [lines.slice(0, half).join('\n'), lines.slice(half).join('\n')]
    for (const pair of [
      [`${WORDS}\n${begin}`, `${WORDS}\n${PRIMES}`],
      [`${rest}\n${WORDS}`, `${PRIMES}\n${WORDS}`],
    ] as const) {
      const { fragments } = comparePair(pair, 'c', template)
      expect(fragments.length).toBeGreaterThan(0)
      for (const { right, tokens } of fragments)
        expect(tokenize(pair[1].slice(right.start, right.end), 'c').kinds.length).toBe(tokens)
    }
  })
})

describe('hostile programs take time in proportion to their length', () => {
  const pieces = [
    '"',
    "'",
    "'''",
    '"""\n',
    '/*',
    '//\\\n',
    '(',
    '((((((((',
    '{[(',
    'R"(',
    'R"x(',
    "rb'''",
    '\\',
    '1',
    "1'",
    '.',
    'a',
    '\n',
    '"\\\n',
    '#include',
    '#  ',
    '\0',
    '\ud83d\ude00',
    '\ufffd',
    ';',
    '#\n',
    '\r',
    'u8R"',
  ]

  /** Milliseconds for comparing a program with a slightly changed copy. */
  function timeOf(code: string, family: 'c' | 'py3'): number {
    const start = performance.now()
    comparePair([code, code.slice(1)], family, NOTHING_COMMON)
    return performance.now() - start
  }

  /** The time of an ordinary program of the same length. Quadratic work would take thousands of times as long. */
  const ordinary = Math.max(10, timeOf(longProgram(9), 'c'))

  test.each(pieces.map((piece) => [JSON.stringify(piece), piece]))('%s', (_, piece) => {
    for (const family of ['c', 'py3'] as const)
      for (const code of [repeated(piece), `${repeated(piece, SOURCE_LIMIT_BYTES - 1)}\\`]) {
        const tries = Array.from({ length: 3 }, () => timeOf(code, family))
        expect(Math.min(...tries)).toBeLessThan(100 * ordinary)
      }
  })
})
