/** Checkers that fail: it is the output's fault, or a Judge Error that never hurts a submission. */
import { describe, expect, it } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { type Cases, judged, subtask, useJudge, watchedSlot } from '../fixtures/judging.ts'
import { checkedBy, checker, QUICK_CHECKER, SEVEN, SPLIT_PY } from '../fixtures/referees.ts'
import type { SeenRun } from '../fixtures/sandbox.ts'

useJudge()

/** Checkers as teachers write them: unreadable output makes them crash, and large output fills their memory. */
const THREE_LINES = `
import sys
words = list(map(int, open(sys.argv[2]).read().split()))
sys.exit(0 if sum(words) == int(open(sys.argv[1]).read()) else 1)
`
const EVALUATES = `
import sys
value = eval(open(sys.argv[2]).read())
sys.exit(0 if value == int(open(sys.argv[1]).read()) else 1)
`
const JSON_READER = `
import json, sys
words = json.loads(open(sys.argv[2]).read())
sys.exit(0 if words == int(open(sys.argv[1]).read()) else 1)
`
const C_STRING = `
#include <cstdio>
#include <cstdlib>
#include <string>
int main(int, char **argv) {
  FILE *input = fopen(argv[1], "r"), *output = fopen(argv[2], "r");
  char word[16];
  int total;
  fscanf(input, "%d", &total);
  fscanf(output, "%s", word);
  return std::stoi(std::string(word)) == total ? 0 : 1;
}`

describe('an output that a checker fails on is the program’s fault', () => {
  const answered: Cases = [[['7\n', '7\n']]]
  const write = (bytes: string) => `import sys\nsys.stdout.buffer.write(${bytes})`

  it.each([
    ['a word', THREE_LINES, 'print("seven")', 'ValueError'],
    ['nothing', JSON_READER, '', 'JSONDecodeError'],
    ['bytes that are no UTF-8', THREE_LINES, write('b"\\xff\\xfe"'), 'UnicodeDecodeError'],
    ['NUL bytes', EVALUATES, write('b"7\\0"'), 'null bytes'],
    ['brackets 100,000 deep', JSON_READER, 'print("[" * 100_000)', 'RecursionError'],
    ['a formula that takes for ever', EVALUATES, 'print("9**9**9")', 'time limit'],
    ['a formula that fills memory', EVALUATES, 'print("[0]*10**9")', 'MemoryError|memory limit'],
    [
      'a formula that ends the checker',
      EVALUATES,
      'print("__import__(\'os\').abort()")',
      'signal 6',
    ],
    ['a formula that prints', EVALUATES, 'print("print(\'x\'*2**21)")', 'more than 1 MB'],
  ])('%s', async (_what, source, program, note) => {
    const result = await checkedBy(checker(source), program, { cases: answered })
    expect(result).toMatchObject({ status: STATUS.WA, score: 0 })
    expect(result.reason).toMatch(/^Wrong Answer: The checker .* on case 0000, whose answer it acc/)
    expect(result.reason).toMatch(new RegExp(note))
    expect(result.outputs).toHaveLength(1)
  })

  it('also where the answer is larger than an output may be', async () => {
    const source = 'import sys\nsys.exit(int(open(sys.argv[2]).read().split()[0]) - 7)'
    const result = await judged('py3', 'print("seven")', {
      cases: [[['7\n', `7 ${'x'.repeat(1_000_000)}\n`]]],
      tasks: [subtask({ outputLimit: 1 })],
      job: { compare: checker(source) },
      tools: { refereeLimits: { ...QUICK_CHECKER, workDirBytes: 64 * 1024 } },
    })
    expect(result.reason).toMatch(/whose answer it accepts/)
    expect(result.status).toBe(STATUS.WA)
  })

  it('a long word in C++', async () => {
    const program = 'print("x" * 100_000)'
    const result = await checkedBy(checker(C_STRING, 'cpp'), program, { cases: answered })
    expect(result.status).toBe(STATUS.WA)
    expect(result.reason).toMatch(/^Wrong Answer: The checker was ended by signal \d+ on/)
  })

  it.each([
    ['an answer that the checker accepts', answered],
    ['no answer', SEVEN],
  ])('30 MB, for a case with %s', async (_what, cases) => {
    const source = 'for _ in range(30): print("1 " * 500_000)'
    const tasks = [subtask({ outputLimit: 65_536, timeLimit: 5_000 })]
    const result = await checkedBy(checker(THREE_LINES), source, { cases, tasks })
    expect(result).toMatchObject({ status: STATUS.OLE, score: 0 })
    expect(result.reason).toMatch(
      /^Output Limit Exceeded: The checker exceeded .* of 30000030 bytes/,
    )
  })

  it('but a right one is right, however verbose', async () => {
    const source = 'for _ in range(30): print(" " * 1_000_000)\nprint(7)'
    const tasks = [subtask({ outputLimit: 65_536, timeLimit: 5_000 })]
    const reads = `
import sys
for line in open(sys.argv[2]):
    if line.strip(): sys.exit(0 if int(line) == 7 else 1)
`
    const result = await checkedBy(checker(reads), source, { cases: answered, tasks })
    expect(result).toMatchObject({ status: STATUS.AC, score: 100, reason: null })
  })

  it('but not where the checker says itself that it is not', async () => {
    const better = 'import sys\nif open(sys.argv[2]).read() != "7\\n": sys.exit(3)'
    const result = await checkedBy(checker(better), 'print(8)', { cases: answered })
    expect(result.status).toBe(STATUS.JE)
  })

  it('and what it costs the slot is bounded, however many subtasks there are', async () => {
    const cases: Cases = Array.from({ length: 20 }, () => [['7\n', '7\n']])
    const tasks = cases.map(() => subtask({ taskScore: 5 }))
    const asked: SeenRun[] = []
    const slot = watchedSlot(asked, 'referee')
    const result = await judged('py3', 'print("9**9**9")', {
      cases,
      tasks,
      job: { compare: checker(EVALUATES) },
      tools: { refereeLimits: { ...QUICK_CHECKER, cpuMs: 500, wallMs: 2_500 }, slot },
    })
    expect(result.tasks.map(({ status }) => status)).toEqual(cases.map(() => STATUS.WA))
    // Each case checks the output and the answer; a checker stopped for CPU time takes at least a fifth of its wall time.
    expect(asked.length).toBeLessThanOrEqual(2 * 15)
  })
})

/** Two UTF-16 units each: a text cut between the units of one loses half of it, after an even or odd number of others. */
const FACE = '\u{1f600}'
const FACES = FACE.repeat(2_000)

describe('no half of a character is left where a text is cut, so that the server takes it', () => {
  it.each(['', 'x'])('in an exception that quotes the output, after %j', async (before) => {
    const quotes = checker(
      'import sys\nsaid = open(sys.argv[2]).read()\nif said != "7\\n": raise KeyError(said)',
    )
    const program = `import sys\nsys.stdout.buffer.write("${before}${FACES}".encode())`
    const result = await checkedBy(quotes, program, { cases: [[['', '7\n']]] })
    expect(result).toMatchObject({ status: STATUS.WA, reason: expect.stringContaining(FACE) })
    expect(result.reason?.isWellFormed()).toBe(true)
  })

  it.each(['', 'x'])('in the words of a compiler, after %j', async (before) => {
    const result = await checkedBy(checker(`"${before}${FACES}`), '')
    expect(result).toMatchObject({ status: STATUS.JE, reason: expect.stringContaining(FACE) })
    expect(result.reason?.isWellFormed()).toBe(true)
  })
})

describe('a checker that fails is a Judge Error with a reason', () => {
  it.each([
    [
      'says so itself',
      checker('import sys\nprint("  no answer\\n more", file=sys.stderr)\nexit(3)'),
      'The checker reported a failure of its own (exit code 3) on case 0000: no answer',
    ],
    [
      'raises an exception',
      checker('def read():\n  raise ValueError("no number")\nread()'),
      'The checker ended with exit code 70, an exception that nothing caught, on case 0000, whose answer it does not accept either: ValueError: no number',
    ],
    [
      'crashes',
      checker('int main() { volatile int *p = 0; return *p; }', 'cpp'),
      'The checker was ended by signal 11 on case 0000, whose answer it does not accept either.',
    ],
    [
      'fails an assertion',
      checker('#include <cassert>\nint main() { assert(1 == 2); }', 'cpp'),
      /^The checker was ended by signal 6 on case 0000, .*: .*Assertion `1 == 2' failed\.$/,
    ],
    [
      'burns time',
      checker('while True: pass'),
      /^The checker (exceeded its time limit of 1000 ms|did not end within 5000 ms) on case 0000, .*\.$/,
    ],
    [
      'fills memory',
      checker('x = b"x" * 100_000_000'),
      'The checker exceeded its memory limit of 64 MB on case 0000, whose answer it does not accept either.',
    ],
    [
      'prints garbage without end',
      checker('while True: print("garbage" * 1000)'),
      'The checker wrote more than 1 MB on case 0000, whose answer it does not accept either.',
    ],
    [
      'complains in bytes that are no text',
      checker('import sys\nsys.stderr.buffer.write(b"\\x1b[31m\\xff\\0bad\\n")\nexit(9)'),
      'The checker ended with exit code 9, which is no verdict, on case 0000, whose answer it does not accept either: \ufffdbad',
    ],
    [
      'does not compile',
      checker('int main() { return x; }', 'cpp'),
      /^The checker does not compile: [^]*main\.cpp:1:\d+: error: .*x/,
    ],
    ['is no Python', checker('print('), /^The checker does not compile: [^]*SyntaxError/],
  ])('%s', async (_what, compare, reason) => {
    const result = await checkedBy(compare, 'print(3)')
    expect(result).toMatchObject({ status: STATUS.JE, score: 0, runTime: null, outputs: [] })
    expect(result.reason).toEqual(
      typeof reason === 'string' ? reason : expect.stringMatching(reason),
    )
  })

  it('has more than its files may take', async () => {
    const tasks = [subtask({ outputLimit: 600 * 1024 })]
    const result = await checkedBy(checker('exit(0)'), 'print(3)', { tasks })
    expect(result.status).toBe(STATUS.JE)
    expect(result.reason).toMatch(/^Case 0000 is too large for a checker: .*Lower the subtask's/)
    // Input, answer and output limit add up.
    const most = [512 * 1024, 512 * 1024 - 1].map((outputLimit) => ({
      tasks: [subtask({ outputLimit, memoryLimit: 64 * 1024 })],
    }))
    const [over, just] = [
      await checkedBy(checker('exit(0)'), 'print(3)', most[0]),
      await checkedBy(checker('exit(0)'), 'print(3)', most[1]),
    ]
    expect([over.status, just.status]).toEqual([STATUS.JE, STATUS.AC])
  })

  it('and a Compile Error of the submission comes first', async () => {
    expect((await checkedBy(checker('print('), 'print(')).status).toBe(STATUS.CE)
  })

  it('and the next job is judged as if nothing had been', async () => {
    expect((await checkedBy(checker(SPLIT_PY), 'print(3, 4)', { cases: SEVEN })).status).toBe(
      STATUS.AC,
    )
    expect((await judged('py3', 'print(3)')).status).toBe(STATUS.AC)
  })
})
