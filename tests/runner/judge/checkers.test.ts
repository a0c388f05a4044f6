/** Checkers: what they decide, what they see, and that their own failures never hurt a submission. */
import { describe, expect, it } from 'vitest'
import type { CompareMode, JudgeProgram } from '#contract/compare'
import { STATUS } from '#contract/verdicts'
import { JUDGE_PROGRAM_LIMITS } from '../../../runner/judge/judge-program.ts'
import {
  type Cases,
  judged,
  type JudgedOptions,
  subtask,
  useJudge,
  watchedSlot,
} from '../fixtures/judging.ts'
import type { SeenRun } from '../fixtures/sandbox.ts'

useJudge()

function checker(source: string, language: JudgeProgram['language'] = 'py3'): CompareMode {
  return { mode: 'checker', language, source }
}

/** Whoever waits for a stuck checker waits for less than in earnest. */
const QUICK = { ...JUDGE_PROGRAM_LIMITS, cpuMs: 1_000, wallMs: 5_000, memoryKb: 64 * 1024 }

/** Judges a Python program with a checker. */
function checkedBy(compare: CompareMode, source: string, options: JudgedOptions = {}) {
  return judged('py3', source, { ...options, job: { compare }, tools: { refereeLimits: QUICK } })
}

/** Any two numbers with the sum of the input are right. */
const SPLIT_PY = `
import sys
total = int(open(sys.argv[1]).read())
words = open(sys.argv[2]).read().split()
if len(words) != 2: sys.exit(2)
sys.exit(0 if sum(map(int, words)) == total else 1)
`
const SPLIT_CPP = `
#include <cstdio>
int main(int, char **argv) {
  FILE *input = fopen(argv[1], "r"), *output = fopen(argv[2], "r");
  long long total, a, b;
  char rest;
  if (fscanf(input, "%lld", &total) != 1) return 3;
  if (fscanf(output, "%lld %lld", &a, &b) != 2 || fscanf(output, " %c", &rest) == 1) return 2;
  return a + b == total ? 0 : 1;
}`
const SEVEN: Cases = [[['7\n', '']]]

describe('a checker', () => {
  describe.each([
    ['py3', checker(SPLIT_PY)],
    ['cpp', checker(SPLIT_CPP, 'cpp')],
  ])('in %s', (_language, compare) => {
    it.each([
      ['takes one right answer', 'print(3, 4)', STATUS.AC],
      ['takes another', 'print(10)\nprint(-3)', STATUS.AC],
      ['refuses a wrong one', 'print(1, 2)', STATUS.WA],
      ['refuses the wrong format', 'print(7)', STATUS.WA],
    ])('%s', async (_what, source, status) => {
      const result = await checkedBy(compare, source, { cases: SEVEN })
      expect(result).toMatchObject({ status, reason: null })
    })
  })

  it.each([
    [0, STATUS.AC],
    [1, STATUS.WA],
    [2, STATUS.WA],
    [4, STATUS.WA],
    [7, STATUS.WA],
    [8, STATUS.WA],
    [3, STATUS.JE],
    [5, STATUS.JE],
    [42, STATUS.JE],
    [137, STATUS.JE],
  ])('that ends with %i gives status %i', async (code, status) => {
    const result = await checkedBy(checker(`exit(${code})`), 'print(1)')
    expect(result.status).toBe(status)
    if (status === STATUS.JE) expect(result.reason).toMatch(/^The checker .* on case 0000\b.*\.$/)
  })

  it('is not asked about a submission that ended badly', async () => {
    const compare = checker('exit(3)')
    expect((await checkedBy(compare, 'exit(1)')).status).toBe(STATUS.RE)
    const slow = { tasks: [subtask({ timeLimit: 100 })] }
    expect((await checkedBy(compare, 'while True: pass', slow)).status).toBe(STATUS.TLE)
  })

  it('judges every case, and a subtask stops at what it refuses', async () => {
    const cases: Cases = [
      [
        ['7', ''],
        ['8', ''],
        ['7', ''],
      ],
      [['7', '']],
    ]
    const tasks = [subtask({ caseCount: 3, taskScore: 60 }), subtask({ taskScore: 40 })]
    const result = await checkedBy(checker(SPLIT_PY), 'print(3, 4)', { cases, tasks })
    expect(result).toMatchObject({ status: STATUS.WA, score: 40, reason: null })
    expect(result.tasks[0]?.cases.map(({ status }) => status)).toEqual([STATUS.AC, STATUS.WA, null])
  })

  it('gets input, output and answer byte for byte, and nothing else', async () => {
    const look = `
import os, sys
assert sys.argv[1:] == ['input', 'output', 'answer'], sys.argv
assert sorted(os.listdir('.')) == ['answer', 'input', 'output'], os.listdir('.')
assert open('input', 'rb').read() == b'in\\0', 'input'
assert open('output', 'rb').read() == b'\\xff\\0x', 'output'
assert open('answer', 'rb').read() == b'expected', 'answer'
assert sys.stdin.read() == ''
assert sorted(os.listdir('/box')) == ['main.py']
import socket
try: socket.create_connection(('127.0.0.1', 80))
except PermissionError: pass
else: raise Exception('network')
try: os.execv('./output', ['output'])
except PermissionError: pass
`
    const source = 'import sys\nsys.stdout.buffer.write(b"\\xff\\0x")'
    const cases: Cases = [[['in\0', 'expected']]]
    expect(await checkedBy(checker(look), source, { cases })).toMatchObject({
      status: STATUS.AC,
      reason: null,
    })
  })

  it('sees the output of the second run of a near miss only', async () => {
    const nearly = `#include <stdio.h>
#include <time.h>
int main(void) { printf("3 "); while (clock() < 206 * (CLOCKS_PER_SEC / 1000)); puts("4"); }`
    const result = await judged('c', nearly, {
      cases: SEVEN,
      tasks: [subtask({ timeLimit: 200 })],
      job: { compare: checker(SPLIT_PY) },
    })
    expect(result).toMatchObject({ status: STATUS.TLE, reason: null })
  })

  it('keeps nothing from one case to the next', async () => {
    const mark = `
import os, sys
if os.path.exists('/tmp/mark'): sys.exit(3)
open('/tmp/mark', 'w').write(open('output').read())
`
    const cases: Cases = [
      [
        ['1', ''],
        ['2', ''],
      ],
    ]
    expect((await checkedBy(checker(mark), 'print(1)', { cases })).status).toBe(STATUS.AC)
  })
})

/** As a teacher writes them: whatever cannot be read makes them crash, and what is large fills their memory. */
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
    ['a number of 5,000 digits', THREE_LINES, 'print("7" * 5000)', 'ValueError'],
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
      tools: { refereeLimits: { ...QUICK, cpuMs: 500, wallMs: 2_500 }, slot },
    })
    expect(result.tasks.map(({ status }) => status)).toEqual(cases.map(() => STATUS.WA))
    // Each time the output and the answer; a checker that is stopped for CPU time takes at least a fifth of its wall time.
    expect(asked.length).toBeLessThanOrEqual(2 * 15)
  })
})

describe('a Judge Error of one case', () => {
  it('leaves the other subtasks what they got', async () => {
    const fails = 'import sys\nif open(sys.argv[1]).read() == "bad": sys.exit(3)'
    const cases: Cases = [
      [['good', '']],
      [
        ['good', ''],
        ['bad', ''],
        ['good', ''],
      ],
      [['good', '']],
    ]
    const tasks = [10, 30, 60].map((taskScore, n) =>
      subtask({ taskScore, caseCount: cases[n]?.length ?? 0 }),
    )
    const result = await checkedBy(checker(fails), 'print(3)', { cases, tasks })
    expect(result).toMatchObject({ status: STATUS.JE, score: 70 })
    expect(result.reason).toMatch(/^The checker reported a failure of its own .* on case 0101\.$/)
    expect(result.tasks.map(({ status }) => status)).toEqual([STATUS.AC, STATUS.JE, STATUS.AC])
    expect(result.tasks[1]?.cases.map(({ status }) => status)).toEqual([STATUS.AC, STATUS.JE, null])
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
