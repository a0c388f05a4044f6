import { describe, expect, it } from 'vitest'
import type { LanguageId } from '#contract/languages/codes'
import { STATUS } from '#contract/verdicts'
import { CaseGate } from '../../../runner/judge/case-gate.ts'
import { caseLimitsOf, runLimits } from '../../../runner/judge/run-limits.ts'
import { isNearMiss } from '../../../runner/judge/verdict.ts'
import {
  type Cases,
  judged,
  progress,
  subtask,
  useJudge,
  watchedSlot,
} from '../fixtures/judging.ts'
import type { SeenRun } from '../fixtures/sandbox.ts'

useJudge()

const SUM = {
  c: '#include <stdio.h>\nint main(void) { int a, b; scanf("%d %d", &a, &b); printf("%d\\n", a + b); }',
  cpp: '#include <cstdio>\nint main() { int a, b; std::scanf("%d %d", &a, &b); std::printf("%d\\n", a + b); }',
  py3: 'a, b = map(int, input().split())\nprint(a + b)',
}

/** Closes standard input unread; the judge gets no EPIPE, because the input is a file. */
const IGNORES_INPUT =
  '#include <stdio.h>\n#include <unistd.h>\nint main(void) { close(0); puts("3"); return 0; }'

describe('a verdict', () => {
  it.each<[string, LanguageId, string | Buffer, number]>([
    ['a right answer in C', 'c', SUM.c, STATUS.AC],
    ['a right answer in C++', 'cpp', SUM.cpp, STATUS.AC],
    ['a right answer in Python', 'py3', SUM.py3, STATUS.AC],
    ['a wrong answer', 'py3', 'print(4)', STATUS.WA],
    ['no output', 'c', 'int main(void) { return 0; }', STATUS.WA],
    ['an endless loop', 'c', 'int main(void) { for (volatile int i = 0;; i++); }', STATUS.TLE],
    ['an endless loop in Python', 'py3', 'while True: pass', STATUS.TLE],
    ['sleeping', 'py3', 'import time\ntime.sleep(60)', STATUS.TLE],
    ['too much memory', 'py3', 'x = bytearray(200_000_000)\nprint(3)', STATUS.MLE],
    ['a crash', 'c', 'int main(void) { volatile int *p = 0; return *p; }', STATUS.RE],
    ['exit code 3', 'c', 'int main(void) { return 3; }', STATUS.RE],
    ['an exception', 'py3', 'raise ValueError', STATUS.RE],
    ['a right answer without a look at the input', 'c', IGNORES_INPUT, STATUS.AC],
    ['NUL behind the right answer', 'py3', 'print("3\\0")', STATUS.WA],
    ['too much output', 'py3', 'while True: print("x" * 1000)', STATUS.OLE],
    ['a syntax error in C', 'c', 'int main(void) { return }', STATUS.CE],
    ['a syntax error in Python', 'py3', 'print(', STATUS.CE],
    ['NUL in Python source', 'py3', 'print(3)\0', STATUS.CE],
    ['invalid UTF-8 in Python source', 'py3', Buffer.from([0x23, 0xff]), STATUS.CE],
    ['invalid UTF-8 in C source', 'c', Buffer.from(`${SUM.c} // \xff`, 'latin1'), STATUS.AC],
  ])('of %s', async (_what, language, source, status) => {
    const result = await judged(language, source)
    expect(result).toMatchObject({ status, score: status === STATUS.AC ? 100 : 0, reason: null })
    expect(result.tasks[0]?.cases[0]?.status).toBe(status === STATUS.CE ? null : status)
  })

  it('of a Compile Error comes with a message that names nothing of the host', async () => {
    const { compileMessage, runTime, outputs } = await judged('py3', 'x = 1\nprint(')
    expect(compileMessage).toMatch(/File "main\.py", line 2[^]*SyntaxError/)
    expect({ runTime, outputs }).toEqual({ runTime: null, outputs: [] })
    const inC = await judged('c', '#include "/etc/shadow"\n')
    expect(inC.compileMessage).toMatch(/main\.c:1/)
    expect(inC.compileMessage).not.toContain('root:')
  })

  it('carries time and memory of what ran', async () => {
    const { runTime, memoryUsage, tasks } = await judged('c', SUM.c)
    expect(runTime).toBeLessThan(1_000)
    expect(memoryUsage).toBeGreaterThan(0)
    expect(tasks[0]).toMatchObject({ runTime, memoryUsage, cases: [{ runTime, memoryUsage }] })
  })
})

describe('subtasks', () => {
  const three: Cases = [
    [['1 1', '2']],
    [
      ['1 2', '3'],
      ['2 2', '5'],
      ['2 3', '5'],
    ],
    [['3 3', '6']],
  ]
  const tasks = [
    subtask({ taskScore: 0, sample: true }),
    subtask({ caseCount: 3, taskScore: 60 }),
    subtask({ taskScore: 40 }),
  ]

  it('stop at their first failure, and the next one still runs', async () => {
    const result = await judged('py3', SUM.py3, { cases: three, tasks })
    expect(result).toMatchObject({ status: STATUS.WA, score: 40 })
    expect(result.tasks.map((task) => task.cases.map(({ status }) => status))).toEqual([
      [STATUS.AC],
      [STATUS.AC, STATUS.WA, null],
      [STATUS.AC],
    ])
    expect(result.tasks.map(({ score }) => score)).toEqual([0, 0, 40])
  })

  it('give the mistake of the first one that fails', async () => {
    const [sample, middle = [], last] = three
    const wrongLater: Cases = [sample ?? [], middle, [['3 3', '7']]]
    const both = await judged('py3', SUM.py3, { cases: wrongLater, tasks })
    const first = await judged('py3', SUM.py3, { cases: three, tasks })
    const other = await judged('py3', SUM.py3, {
      cases: [sample ?? [], [], last ?? []],
      tasks: [subtask({ taskScore: 0 }), subtask({ caseCount: 0 }), subtask()],
    })
    expect(first.mistake).toMatch(/^[\w-]{16}$/)
    expect([both.mistake, other.mistake]).toEqual([first.mistake, null])
  })

  it('keep the output of sample cases and of the first failure', async () => {
    const { outputs } = await judged('py3', `import sys\nprint("!", file=sys.stderr)\n${SUM.py3}`, {
      cases: three,
      tasks,
    })
    expect(outputs.map((output) => [output.task, output.case])).toEqual([
      [0, 0],
      [1, 1],
    ])
    const failed = outputs[1]
    expect(failed && Buffer.from(failed.stdout, 'base64').toString()).toBe('4\n')
    expect(failed && Buffer.from(failed.expected, 'base64').toString()).toBe('5')
    expect(failed && Buffer.from(failed.stderr, 'base64').toString()).toBe('!\n')
    expect(failed).toMatchObject({ stdoutSize: 2, expectedSize: 1, stderrSize: 2 })
  })

  it('cut kept streams to 64 KiB and tell their full size', async () => {
    const source = 'import sys\nprint("x" * 99_999)\nprint("y" * 99_999, file=sys.stderr)'
    const { outputs } = await judged('py3', source)
    expect(outputs[0]).toMatchObject({ stdoutSize: 100_000, stderrSize: 100_000 })
    expect(Buffer.from(outputs[0]?.stdout ?? '', 'base64')).toHaveLength(64 * 1024)
    expect(Buffer.from(outputs[0]?.stderr ?? '', 'base64')).toHaveLength(64 * 1024)
  })

  it('report progress, skipped cases counted as done', async () => {
    await judged('py3', SUM.py3, { cases: three, tasks })
    expect(progress[0]).toEqual({ phase: 'compiling', done: 0, total: 5 })
    expect(progress.slice(1).map(({ done }) => done)).toEqual([0, 1, 2, 3, 4, 5])
  })
})

describe('a near miss', () => {
  // A program that is too slow by less than 10 %, with some margin to either side. It counts CPU time and has much wall time,
  // so that a busy machine changes nothing.
  function nearly(sleepUs: number): string {
    return `#include <stdio.h>
#include <time.h>
#include <unistd.h>
int main(void) { usleep(${sleepUs}); while (clock() < 418 * (CLOCKS_PER_SEC / 1000)); puts("3"); }`
  }
  const cases: Cases = Array.from({ length: 5 }, () => [['', '3']])
  const near = subtask({ taskScore: 20, timeLimit: 400 })
  const tasks = cases.map(() => near)
  const caseLimits = caseLimitsOf(near)

  /** Judges five near misses; answers their first runs, and how many further runs stopped the other slots. */
  async function seen(source: string) {
    const gate = new CaseGate()
    let alone = 0
    const original = gate.alone.bind(gate)
    gate.alone = (mostMs, work) => {
      alone++
      return original(mostMs, work)
    }
    const runs: SeenRun[] = []
    const onHandBack = () => {
      runs.length = 0
      alone = 0
    }
    const given = { cases, tasks, tools: { gate, slot: watchedSlot(runs) }, onHandBack }
    const { status, runTime } = await judged('c', source, given)
    const firstLimits = runLimits(caseLimits)
    const first = runs.filter(({ limits }) => limits.wallMs === firstLimits.wallMs)
    expect(status).toBe(STATUS.TLE)
    expect(runTime).toBeGreaterThan(400)
    expect(first).toHaveLength(5)
    expect(runs).toHaveLength(5 + alone)
    return { alone, first }
  }

  it('is run once more, alone, at most three times a submission', async () => {
    const { alone, first } = await seen(nearly(0))
    // On a busy machine the sandbox may take a near miss for a sleeper.
    const misses = first.filter(({ result }) => isNearMiss(result, caseLimits))
    expect(alone).toBe(Math.min(3, misses.length))
  })

  it('that slept besides is not: the other slots would wait while it sleeps', async () => {
    // Longer than the wait that may be credited wrongly to a starved start.
    expect((await seen(nearly(600_000))).alone).toBe(0)
  })
})

describe('what is not the program’s fault', () => {
  it('is a Judge Error with the reason when a case is missing from the test data', async () => {
    const result = await judged('py3', SUM.py3, { tasks: [subtask({ caseCount: 3 })] })
    expect(result).toMatchObject({
      status: STATUS.JE,
      score: 0,
      reason: '0001.out is missing from the test data',
    })
    const statuses = result.tasks[0]?.cases.map(({ status }) => status)
    expect(statuses).toEqual([STATUS.AC, STATUS.JE, null])
  })

  it('is the reason that staff read, also where a checker has noted something before', async () => {
    const source = 'import sys\nsys.exit(0 if open(sys.argv[2]).read() == "3\\n" else 1 / 0)'
    const cases: Cases = [[['1\n', '3\n']], [['2\n', '3\n']], [['3\n', '3\n']]]
    const tasks = [40, 30, 30].map((taskScore) => subtask({ taskScore, caseCount: 2 }))
    const compare = { mode: 'checker', language: 'py3', source } as const
    const result = await judged('py3', 'print(input())', { cases, tasks, job: { compare } })
    const statuses = result.tasks.map((task) => task.cases.map(({ status }) => status))
    expect(statuses).toEqual([
      [STATUS.WA, null],
      [STATUS.WA, null],
      [STATUS.AC, STATUS.JE],
    ])
    expect(result.reason).toBe('0201.out is missing from the test data')
    expect(result.mistake).toBeNull()
  })

  it('is thrown when the test data cannot be fetched', async () => {
    const acquireTestData = () => Promise.reject(new Error('no route'))
    await expect(judged('py3', SUM.py3, { tools: { acquireTestData } })).rejects.toThrow('no route')
  })

  it('does not matter to a Compile Error', async () => {
    const acquireTestData = () => Promise.reject(new Error('no route'))
    const result = await judged('c', 'nonsense', { tools: { acquireTestData } })
    expect(result.status).toBe(STATUS.CE)
  })

  it('ends the job between two cases when the result is no longer wanted', async () => {
    const abort = new AbortController()
    abort.abort(new Error('stale'))
    await expect(judged('py3', SUM.py3, { tools: { signal: abort.signal } })).rejects.toThrow(
      'stale',
    )
  })

  it.each<[string, string, number | null]>([
    ['a right answer', SUM.c, STATUS.AC],
    ['a Compile Error', 'nonsense', STATUS.CE],
    ['a case that is missing', SUM.c, STATUS.JE],
    ['a result that is no longer wanted', SUM.c, null],
  ])('gives the test data back once, after %s', async (_what, source, status) => {
    const released: string[] = []
    const abort = new AbortController()
    const path = status === STATUS.JE ? 'none' : import.meta.filename
    const acquireTestData = async () => ({
      inputPath: () => path,
      expectedPath: () => path,
      release: () => void released.push('data'),
    })
    const onProgress = ({ phase }: { phase: string }) => {
      if (status === null && phase === 'running') abort.abort(new Error('stale'))
    }
    const compare = { mode: 'checker', language: 'py3', source: 'exit(0)' } as const
    const job = { compare: status === STATUS.AC ? compare : ({ mode: 'lines' } as const) }
    const tools = { acquireTestData, onProgress, signal: abort.signal }
    const judging = judged('c', source, { tools, job })
    if (status === null) await expect(judging).rejects.toThrow('stale')
    else expect((await judging).status).toBe(status)
    await expect.poll(() => released).toEqual(['data'])
  })

  it('leaves the slot fit for the next job', async () => {
    expect((await judged('c', SUM.c)).status).toBe(STATUS.AC)
  })
})
