/** Which failures are the same mistake. `mistake-groups.long.test.ts` judges real programs. */
import { describe, expect, it } from 'vitest'
import { KEPT_OUTPUT_BYTES } from '#contract/limits'
import { mistake } from '#contract/submissions'
import { tolerancesOf, type CompareMode } from '#contract/problems/compare'
import { STATUS } from '#contract/verdicts'
import {
  mistakeOfCase,
  mistakeOfCompilation,
  namelessError,
  normalisedOutput,
} from '../../../runner/judge/mistake.ts'

type Failure = Parameters<typeof mistakeOfCase>[1]

const start = (text: string) => {
  const bytes = Buffer.from(text, 'latin1')
  return { start: bytes.subarray(0, KEPT_OUTPUT_BYTES), size: bytes.length }
}

const WRONG: Failure = {
  task: 1,
  case: 2,
  verdict: STATUS.WA,
  end: undefined,
  output: start('0\n'),
  stderr: Buffer.alloc(0),
}

const LINES = { mode: 'lines' } as const
const TOKENS = { mode: 'tokens' } as const
const EXACT = { mode: 'exact' } as const
const FLOAT = { mode: 'float' } as const

const normal = (text: string, compare: CompareMode) =>
  normalisedOutput(start(text), compare).toString('latin1')

const mistakeIn = (change: Partial<Failure>, compare: CompareMode = LINES) =>
  mistakeOfCase({ compare, language: 'py3' }, { ...WRONG, ...change })

describe('outputs', () => {
  it.each<[CompareMode, string, string]>([
    [LINES, '1 \t\r\n2\n\n \n', '1\n2'],
    [LINES, '\n1', '\n1'],
    [LINES, ' \n', ''],
    [{ ...LINES, ignoreCase: true }, 'Yes\xc9', 'yES\xc9'],
    [TOKENS, ' 1\n\n2\v3', '1 2 3\f\n'],
    [{ ...TOKENS, ignoreCase: true }, 'YES no', 'yes\nNO'],
    [{ mode: 'checker', language: 'py3', source: 'exit(1)' }, '1\n2', '1 2'],
    [{ mode: 'interactor', language: 'py3', source: 'exit(1)' }, '? 1\n', '? 1'],
    [FLOAT, '0.333333 1e-3', '0.33333333\n0.001'],
    [FLOAT, '-0 -0.0000001', '0 1e-9'],
    [FLOAT, '+7 .5 5. 1E2', '7 0.5 5 100'],
    [FLOAT, '9.99999999', '10.0000001'],
    [FLOAT, '123456.7', '123456.70001'],
    [{ mode: 'float', absolute: 0.01 }, '0.5 2.25', '0.509 2.241'],
    [{ mode: 'float', absolute: 0.01 }, '1000000', '1000000.009'],
    [{ mode: 'float', absolute: 1 }, '0.9 -0.3 70', '0 0.4 70.9'],
    [{ mode: 'float', relative: 0.001 }, '5 1e300 -2', '5.0049 1.0009e300 -2.0019'],
    [{ mode: 'float', absolute: 0, relative: 0 }, '1.0 1e3', '1 1000'],
  ])('%j takes %j and %j for the same', (compare, left, right) => {
    expect(normal(left, compare)).toBe(normal(right, compare))
    expect(mistakeIn({ output: start(left) }, compare)).toBe(
      mistakeIn({ output: start(right) }, compare),
    )
  })

  it.each<[CompareMode, string, string]>([
    [LINES, '1 2', '1  2'],
    [LINES, '1\n2', '1 2'],
    [LINES, '1\n\n2', '1\n2'],
    [LINES, 'Yes', 'yes'],
    [LINES, '1\xa0', '1'],
    [{ ...LINES, ignoreCase: true }, '\xe9', '\xc9'],
    [TOKENS, '12', '1 2'],
    [TOKENS, '1.0', '1'],
    [EXACT, '1\n', '1'],
    [EXACT, '1 \n', '1\n'],
    [FLOAT, '0.5', '0.50002'],
    [FLOAT, '2', '-2'],
    [FLOAT, 'nan', 'inf'],
    [FLOAT, '1 2', '2 1'],
    [FLOAT, '0x10', '16'],
    [FLOAT, '1e999', '2e999'],
    [{ mode: 'float', absolute: 0, relative: 0 }, '1', '1.0000001'],
    [{ mode: 'float', absolute: 1 }, '40', '60'],
  ])('%j tells %j from %j', (compare, left, right) => {
    expect(mistakeIn({ output: start(left) }, compare)).not.toBe(
      mistakeIn({ output: start(right) }, compare),
    )
  })

  it('are alike within the tolerance of every short number', () => {
    const grids: { mode: 'float'; absolute?: number; relative?: number }[] = [
      FLOAT,
      { ...FLOAT, absolute: 1e-4 },
      { ...FLOAT, relative: 1e-3 },
    ]
    for (const compare of grids)
      for (const scale of [1, 10, 1000])
        for (let number = -50; number <= 50; number++) {
          const value = (number * scale) / 2
          const { absolute, relative } = tolerancesOf(compare)
          const tolerance = Math.max(absolute, relative * Math.abs(value))
          for (const change of [-0.99, 0.99])
            expect(normal(String(value + change * tolerance), compare)).toBe(String(value))
        }
  })

  it.each<[CompareMode, string]>([
    [LINES, ' '],
    [TOKENS, ' '],
    [FLOAT, '\n'],
  ])('that are longer than what is read lose a cut word: %j', (compare, space) => {
    // The start that is read ends within a word: it has x and a space, then eight bytes each.
    const output = start(`x${space}${`1234567${space}`.repeat(KEPT_OUTPUT_BYTES / 8)}1`)
    expect(output.start.toString().endsWith(`${space}123456`)).toBe(true)
    const [, first, ...others] = normalisedOutput(output, compare).toString('latin1').split(/\s/)
    expect(others).toHaveLength(Math.floor((KEPT_OUTPUT_BYTES - 2) / 8) - 1)
    expect(new Set(others)).toEqual(new Set([first]))
  })

  it('of one long word keep its beginning', () => {
    const long = (letter: string) => start(letter.repeat(KEPT_OUTPUT_BYTES + 1))
    for (const compare of [LINES, TOKENS, EXACT])
      expect(mistakeIn({ output: long('a') }, compare)).not.toBe(
        mistakeIn({ output: long('b') }, compare),
      )
  })

  it('stay as they are, because people look at them later', () => {
    const output = start('YES \n\n')
    mistakeIn({ output }, { ...LINES, ignoreCase: true })
    expect(output.start.toString()).toBe('YES \n\n')
  })
})

describe('failures', () => {
  const crash = { verdict: STATUS.RE, end: 'exit' } as const
  const raised = (text: string) => ({ ...crash, stderr: Buffer.from(text) })

  it('give a mistake of the contract', () => {
    expect(mistake.parse(mistakeIn({}))).toBe(mistakeIn({ stderr: Buffer.from('No.') }))
  })

  it.each<[string, Partial<Failure>, Partial<Failure>]>([
    ['another subtask', {}, { task: 0 }],
    ['another case', {}, { case: 1 }],
    ['another verdict', crash, {}],
    ['another end', { ...crash, end: 'SIGSEGV' }, { ...crash, end: 'SIGABRT' }],
    [
      'another end by a limit',
      { verdict: STATUS.TLE, end: 'cpu' },
      { verdict: STATUS.TLE, end: 'wall' },
    ],
    ['another output before a crash', crash, { ...crash, output: start('1') }],
    ['another exception', raised('ValueError: no\n'), raised('KeyError: no\n')],
    ['no exception', raised('ValueError\n'), crash],
    ['a warning before it', raised('KeyError: 3\nValueError: no\n'), raised('KeyError: 3\n')],
  ])('with %s are another mistake', (_what, left, right) => {
    expect(mistakeIn(left)).not.toBe(mistakeIn(right))
  })

  it.each<[string, Partial<Failure>, Partial<Failure>]>([
    ['a text of the exception', raised('  x\nValueError: no\n'), raised('ValueError: yes\n')],
    ['a text on standard error', {}, { stderr: Buffer.from('ValueError: no\n') }],
    ['a last line that names no exception', crash, raised('KeyError: 3\nIt failed: no\n')],
    ...([STATUS.TLE, STATUS.MLE, STATUS.OLE] as const).map(
      (verdict): [string, Partial<Failure>, Partial<Failure>] => [
        `an output up to the limit of verdict ${verdict}`,
        { verdict },
        { verdict, output: start('1 2 3') },
      ],
    ),
  ])('that differ in %s are the same', (_what, left, right) => {
    expect(mistakeIn(left)).toBe(mistakeIn(right))
  })

  it('of C++ differ by exception, of C not by what they write', () => {
    const thrown = (name: string) => ({
      ...WRONG,
      verdict: STATUS.RE,
      end: 'SIGABRT' as const,
      stderr: Buffer.from(
        `terminate called after throwing an instance of '${name}'\n  what():  ${name}\n`,
      ),
    })
    const [left, right] = [thrown('std::out_of_range'), thrown('std::bad_alloc')]
    const of = (language: 'c' | 'cpp', failure: Failure) =>
      mistakeOfCase({ compare: LINES, language }, failure)
    expect(of('cpp', left)).not.toBe(of('cpp', right))
    expect(of('c', left)).toBe(of('c', right))
  })
})

describe('Compile Errors', () => {
  it.each([
    [
      "'totl' undeclared (first use in this function)",
      "'…' undeclared (first use in this function)",
    ],
    ["'a' was not declared in this scope; did you mean 'b'?", "'…' was not declared in this scope"],
    ["expected ';' before '}' token", "expected ';'"],
    ["expected ',' or ';' before 'return'", "expected ',' or ';'"],
    ['expected primary-expression before numeric constant', 'expected primary-expression'],
    ["expected '}' at end of input", "expected '}' at end of input"],
    ['stdoi.h: No such file or directory', "'…': No such file or directory"],
    ["undefined reference to `sum(int, int)'", "undefined reference to '…'"],
    ["undefined reference to `main'", "undefined reference to 'main'"],
    ['conversion from ‘int’ to ‘A’', "conversion from '…' to '…'"],
    ["SyntaxError: invalid character '“' (U+201C)", "SyntaxError: invalid character '…' (0)"],
    [
      "IndentationError: expected an indented block after 'for' statement on line 12",
      "IndentationError: expected an indented block after '…' statement on line 0",
    ],
    ["can't decode byte 0xff in 'a'", "can't decode byte 0 in '…'"],
  ])('%j lose names and numbers', (error, expected) => {
    expect(namelessError(error)).toBe(expected)
  })

  it('in other lines of other files are the same mistake', () => {
    const left = mistakeOfCompilation("main.c:5:3: error: 'a' undeclared\n")
    const right = mistakeOfCompilation(
      "main.c: In function 'f':\nmain.c:9:1: error: 'b' undeclared",
    )
    expect(left).toBe(right)
    expect(left).not.toBe(mistakeOfCompilation("main.c:5:3: error: expected ';'\n"))
  })
})
