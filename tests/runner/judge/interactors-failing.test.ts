/** Interactors that fail: a Judge Error, unless the submission caused the failure. */
import { describe, expect, it } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { type Cases, judged, subtask, useJudge, watchedSlot } from '../fixtures/judging.ts'
import {
  interactor,
  GUESS_PY,
  QUICK_INTERACTOR,
  SEARCH,
  short,
  talked,
} from '../fixtures/referees.ts'
import type { SeenRun } from '../fixtures/sandbox.ts'

useJudge()

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
      tools: { refereeLimits: QUICK_INTERACTOR, slot },
    })
    expect(result.tasks.map(({ status }) => status)).toEqual(cases.map(() => STATUS.JE))
    // Each interactor uses up its CPU limit, which is half of its wall limit.
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
