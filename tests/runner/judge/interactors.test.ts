/** Interactive problems: whose fault an ending is, and that nothing waits for ever. */
import { describe, expect, it } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { JUDGE_PROGRAM_LIMITS } from '../../../runner/judge/judge-program.ts'
import { judged, subtask, useJudge } from '../fixtures/judging.ts'
import { interactor, GUESS_PY, SEARCH, short, talked } from '../fixtures/referees.ts'
import { USER_MODE_LINUX } from '../fixtures/sandbox.ts'

useJudge()

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
    // A program that spins need not spin for long.
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
    // Its own limit would end it only after ten minutes.
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
