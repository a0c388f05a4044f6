/** Interactive problems: whose fault an end was, and that nothing ever waits for good. */
import { describe, expect, it } from 'vitest'
import type { CompareMode } from '#contract/compare'
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
import { type SeenRun, USER_MODE_LINUX } from '../fixtures/sandbox.ts'

useJudge()

/** The interactor thinks of the number in its input; a question is `? n`, the answer `! n`, eight tries. */
const GUESS_PY = `
import sys
secret = int(open(sys.argv[1]).read())
for _ in range(8):
    try:
        kind, n = input().split()
        n = int(n)
    except (EOFError, ValueError):
        sys.exit(2)
    if kind == '!':
        sys.exit(0 if n == secret else 1)
    print('lower' if secret < n else 'higher' if secret > n else 'equal', flush=True)
sys.exit(1)
`
const GUESS_CPP = `
#include <cstdio>
int main(int, char **argv) {
  int secret, n;
  char kind;
  if (fscanf(fopen(argv[1], "r"), "%d", &secret) != 1) return 3;
  for (int tries = 0; tries < 8; tries++) {
    if (scanf(" %c %d", &kind, &n) != 2) return 2;
    if (kind == '!') return n == secret ? 0 : 1;
    puts(secret < n ? "lower" : secret > n ? "higher" : "equal");
    fflush(stdout);
  }
  return 1;
}`

const SEARCH = `
low, high = 1, 100
while True:
    n = (low + high) // 2
    print('?', n, flush=True)
    said = input()
    if said == 'equal': break
    if said == 'lower': high = n - 1
    else: low = n + 1
print('!', n)
`
const NUMBERS: Cases = [
  [
    ['37\n', ''],
    ['100\n', ''],
  ],
]

/** Whoever waits for a stuck interactor waits for less than in earnest. */
const QUICK = {
  ...JUDGE_PROGRAM_LIMITS,
  cpuMs: 1_000,
  memoryKb: 64 * 1024,
}

function interactor(source: string, language: 'py3' | 'cpp' = 'py3'): CompareMode {
  return { mode: 'interactor', language, source }
}

/** Judges a Python program that talks with an interactor. */
function talked(compare: CompareMode, source: string, options: JudgedOptions = {}) {
  return judged('py3', source, {
    cases: NUMBERS,
    tools: { refereeLimits: QUICK },
    ...options,
    job: { compare },
  })
}

const short = { tasks: [subtask({ caseCount: 2, timeLimit: USER_MODE_LINUX ? 1_000 : 200 })] }

describe.each([
  ['py3', interactor(GUESS_PY)],
  ['cpp', interactor(GUESS_CPP, 'cpp')],
])('an interactor in %s', (_language, compare) => {
  it('accepts a program that finds out', async () => {
    const result = await talked(compare, SEARCH)
    expect(result).toMatchObject({ status: STATUS.AC, score: 100, reason: null })
    expect(result.tasks[0]?.cases).toHaveLength(2)
  })

  it.each([
    ['a wrong answer', 'print("! 5")', STATUS.WA],
    ['too many questions', 'for n in range(9): print("? 1", flush=True); input()', STATUS.WA],
    ['the wrong format', 'print("37")', STATUS.WA],
    ['no output', '', STATUS.WA],
    ['an early end', 'print("? 1", flush=True)', STATUS.WA],
    ['a crash', 'print("? 1", flush=True)\nraise ValueError', STATUS.RE],
    ['an endless loop', 'print("? 1", flush=True)\nwhile True: pass', STATUS.TLE],
    ['too much memory', 'x = bytearray(200_000_000)', STATUS.MLE],
    ['a right answer, then a crash', `${SEARCH}\nexit(3)`, STATUS.RE],
    [
      'a right answer, then an endless loop',
      `${SEARCH.replace('n)\n', 'n, flush=True)\n')}\nwhile True: pass`,
      STATUS.TLE,
    ],
  ])('gives %s its verdict', async (_what, source, status) => {
    // Who spins need not do so for long.
    const options = status === STATUS.TLE ? short : {}
    expect(await talked(compare, source, options)).toMatchObject({ status, reason: null })
  })
})

describe('whoever ended first decides', () => {
  const compare = interactor(GUESS_PY)

  it('Wrong Answer stays Wrong Answer when the program then fails for want of a partner', async () => {
    const wrong = 'print("! 5", flush=True)\n'
    const endings = ['input()', 'for n in range(5000): print("? 1")', 'while True: pass']
    for (const rest of [...endings, ...Array<string>(10).fill('input()')])
      expect(await talked(compare, wrong + rest, short), rest).toMatchObject({
        status: STATUS.WA,
        reason: null,
      })
  })

  it('a program that writes more than it needs to an interactor that has accepted is accepted', async () => {
    const chatty = `${SEARCH.replace('n)\n', 'n, flush=True)\n')}\nfor n in range(2000): print("? 1")`
    for (let round = 0; round < 5; round++)
      expect((await talked(compare, chatty)).status).toBe(STATUS.AC)
  })

  it('a flood is an Output Limit Exceeded even while the interactor reads it', async () => {
    const reader = interactor('import sys\nfor line in sys.stdin: pass\nexit(1)')
    const flood = 'while True: print("x" * 1000)'
    expect((await talked(reader, flood)).status).toBe(STATUS.OLE)
  })

  it('a flood that nobody reads stops by itself: the program waits until its wall limit', async () => {
    const deaf = interactor('import sys\nwhile sys.stdin.read(1): pass\nexit(1)')
    const result = await talked(deaf, 'import time\ntime.sleep(60)', short)
    expect(result.status).toBe(STATUS.TLE)
  })

  it('both waiting for each other is Time Limit Exceeded with the small CPU time', async () => {
    const forgot = `import sys\n${SEARCH.replace(', flush=True', '').replace('input()', 'sys.stdin.readline().strip()')}`
    const result = await talked(compare, forgot, short)
    expect(result).toMatchObject({ status: STATUS.TLE, reason: null })
    if (!USER_MODE_LINUX) expect(result.runTime).toBeLessThan(200)
  })
})

describe('what a submission waits for', () => {
  it('costs it nothing while the interactor computes, however long', async () => {
    const slow = interactor(
      'import sys, time\nwhile time.process_time() < 3: pass\nprint(1, flush=True)\nexit(0 if sys.stdin.read() == "1" else 1)',
    )
    const tools = { refereeLimits: JUDGE_PROGRAM_LIMITS }
    const waits = 'print(input(), end="")'
    expect(await talked(slow, waits, { ...short, tools })).toMatchObject({ status: STATUS.AC })
  })

  it('costs it its wall time while the interactor waits for it', async () => {
    const patient = interactor('import sys\nsys.stdin.read()\nexit(0)')
    expect((await talked(patient, 'import time\ntime.sleep(60)', short)).status).toBe(STATUS.TLE)
  })
})

describe('the word of an interactor that has ended ends the submission', () => {
  const dawdle = '\nimport time\ntime.sleep(600)'
  it.each([
    ['Wrong Answer', 'input()\nexit(1)', STATUS.WA],
    ['a failure', 'input()\nexit(3)', STATUS.JE],
  ])('%s, at once', async (_what, source, status) => {
    // Its own limit would end it after ten minutes.
    const tasks = [subtask({ timeLimit: 600_000 })]
    const asks = `print(1, flush=True)${dawdle}`
    const result = await talked(interactor(source), asks, { tasks, cases: [[['', '']]] })
    expect(result.status).toBe(status)
  })

  it('but Accepted, which leaves it its time to end well', async () => {
    const accepts = interactor('input()\nexit(0)')
    const rest = 'print(1, flush=True)\nimport time\ntime.sleep(0.5)\nexit(3)'
    expect((await talked(accepts, rest)).status).toBe(STATUS.RE)
  })
})

describe('an interactor that fails is a Judge Error with a reason', () => {
  it.each([
    [
      'says so itself',
      'exit(3)',
      /^The interactor reported a failure of its own .* on case 0000\.$/,
    ],
    ['raises an exception', '1 / 0', /on case 0000: ZeroDivisionError: division by zero$/],
    [
      'ends with garbage',
      'import os, signal\nos.kill(os.getpid(), signal.SIGKILL)',
      /was ended by signal 9/,
    ],
    [
      'spins while the program waits',
      'while True: pass',
      /exceeded its time limit of \d+ ms|did not end within/,
    ],
    [
      'sleeps while the program waits',
      'import time\ntime.sleep(99)',
      /did not end within \d+ ms after the submission had ended on case 0000\.$/,
    ],
    ['floods the program', 'while True: print("x" * 99_999)', /wrote more than 64 MB/],
    ['does not compile', 'print(', /^The interactor does not compile: [^]*SyntaxError/],
    ['fills memory', 'x = b"x" * 100_000_000', /exceeded its memory limit of 64 MB/],
  ])('%s', async (_what, source, reason) => {
    const result = await talked(
      interactor(source),
      'import sys\nfor line in sys.stdin: pass',
      short,
    )
    expect(result.reason).toMatch(reason)
    expect(result).toMatchObject({ status: STATUS.JE, score: 0, outputs: [] })
  })

  it('tells that the submission had ended when it was that which the interactor could not bear', async () => {
    const early = await talked(interactor('import sys\nexit(0 if sys.stdin.read() else 3)'), '')
    expect(early.reason).toBe(
      'The interactor reported a failure of its own (exit code 3) after the submission had ended on case 0000.',
    )
  })

  it.each([
    ['leaves the interactor without an answer', '', 'input()', /^Wrong Answer: .*EOFError/],
    ['talks nonsense', 'print("x")', 'int(input())', /^Wrong Answer: .*ValueError/],
    [
      'asks more than anybody can bear to answer',
      'import sys\nprint("?\\n" * 99_999)\nsys.stdin.read()',
      'while input() == "?":\n  for n in range(10**5): pass',
      /^Time Limit Exceeded: The interactor exceeded its time limit of 1000 ms/,
    ],
    [
      'says more than fits into the memory of the interactor',
      'print("x" * 9_000_000)',
      'import sys\nx = [[letter] for letter in sys.stdin.read()]',
      /^Output Limit Exceeded: The interactor exceeded its memory limit of 64 MB/,
    ],
  ])('but a submission that %s gets none', async (_what, source, official, note) => {
    const tasks = [subtask({ timeLimit: 3_000, outputLimit: 10_240 })]
    const cases: Cases = [[['', '']]]
    const result = await talked(interactor(official), source, { tasks, cases })
    expect(result.status).not.toBe(STATUS.JE)
    expect(result.reason).toMatch(note)
  })

  it.each([
    ['that has said something to it', 'print("x" * 10_000, flush=True)\ninput()'],
    ['that has ended', ''],
  ])(
    'even to a submission %s, where it fails though nobody says anything',
    async (_what, source) => {
      const broken = 'print(1)\nopen("no such file")'
      const result = await talked(interactor(broken), source)
      expect(result).toMatchObject({
        status: STATUS.JE,
        reason: expect.stringMatching(/FileNotFoundError/),
      })
      const endless = await talked(interactor('while True: pass'), source)
      expect(endless.status).toBe(STATUS.JE)
    },
  )

  it('and what it costs the slot is bounded, however many subtasks there are', async () => {
    const cases: Cases = Array.from({ length: 10 }, () => [['', '']])
    const asked: SeenRun[] = []
    const slot = watchedSlot(asked, 'referee')
    const result = await talked(interactor('import sys\nsys.stdin.read()\nwhile True: pass'), '', {
      cases,
      tasks: cases.map(() => subtask({ taskScore: 10 })),
      tools: { refereeLimits: QUICK, slot },
    })
    expect(result.tasks.map(({ status }) => status)).toEqual(cases.map(() => STATUS.JE))
    // Each takes its CPU limit, which is half of its wall limit.
    expect(asked.length).toBeLessThanOrEqual(7)
  })

  it('and a submission that crashes first has crashed, whatever the interactor makes of it', async () => {
    const frail = interactor('import sys\nexit(0 if sys.stdin.read() else 3)')
    expect((await talked(frail, 'exit(1)')).status).toBe(STATUS.RE)
    const hanging = interactor('import time\ntime.sleep(99)')
    expect((await talked(hanging, 'exit(1)', { tasks: [subtask({ caseCount: 2 })] })).status).toBe(
      STATUS.RE,
    )
  })

  it('and the next job is judged as if nothing had been', async () => {
    expect((await talked(interactor(GUESS_PY), SEARCH)).status).toBe(STATUS.AC)
    expect((await judged('py3', 'print(3)')).status).toBe(STATUS.AC)
  })
})

describe('an interactive problem', () => {
  it('keeps both sides of the conversation for people', async () => {
    const { outputs } = await talked(
      interactor(GUESS_PY),
      'print("? 1", flush=True)\ninput()\nprint("! 2")',
    )
    const text = (base64?: string) => Buffer.from(base64 ?? '', 'base64').toString()
    expect(text(outputs[0]?.stdout)).toBe('? 1\n! 2\n')
    expect(text(outputs[0]?.expected)).toBe('higher\n')
  })

  it('shows neither side the files or processes of the other', async () => {
    const spy = `
import os
for path in ['input', 'answer', '/work/input', '/box/main.py.bak', '/proc/self/fd']:
    if os.path.exists(path): print('!', path, flush=True)
for pid in range(2, 200):
    try: os.kill(pid, 0)
    except OSError: continue
    if pid not in (os.getpid(), os.getppid()): print('!', pid, flush=True)
`
    const listener = interactor('import sys\nexit(1 if sys.stdin.read() else 0)')
    expect(await talked(listener, spy)).toMatchObject({ status: STATUS.AC, outputs: [] })
  })

  it('runs thousands of exchanges within its limits', async () => {
    const echo = interactor(
      '#include <cstdio>\nint main() { int n; while (scanf("%d", &n) == 1) { printf("%d\\n", n + 1); fflush(stdout); if (n == 9999) return 0; } return 1; }',
      'cpp',
    )
    const count =
      '#include <stdio.h>\nint main(void) { int n = 0; while (n < 10000) { printf("%d\\n", n); fflush(stdout); if (scanf("%d", &n) != 1) return 1; } }'
    const result = await judged('c', count, { cases: [[['', '']]], job: { compare: echo } })
    expect(result).toMatchObject({ status: STATUS.AC, reason: null })
  })
})
