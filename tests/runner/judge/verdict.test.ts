import { describe, expect, it } from 'vitest'
import { STATUS, type Verdict } from '#contract/verdicts'
import type { RunResult } from '../../../runner/sandbox/box.ts'
import {
  endOf,
  isNearMiss,
  verdictOfCase,
  verdictOfEnd,
  verdictOfFailure,
  verdictOfTalk,
} from '../../../runner/judge/verdict.ts'

const LIMITS = { timeMs: 1_000, memoryKb: 100_000 }

function ended(change: Partial<RunResult>): RunResult {
  return {
    fired: null,
    exitCode: 0,
    signal: null,
    cpuMs: 10,
    wallMs: 12,
    memoryKb: 1_000,
    oomKilled: false,
    outputBytes: 2,
    stderr: new Uint8Array(),
    stderrBytes: 0,
    closedFirst: null,
    stopped: false,
    waitedMs: 0,
    ...change,
  }
}

const killed = { exitCode: null, signal: 9 }

const TABLE: [what: string, end: Partial<RunResult>, verdict: number | null][] = [
  ['a clean end leaves it to the output', {}, null],
  ['the output limit', { ...killed, fired: 'output' }, STATUS.OLE],
  ['the output limit before memory', { ...killed, fired: 'output', oomKilled: true }, STATUS.OLE],
  ['the memory limit', { ...killed, fired: 'memory' }, STATUS.MLE],
  ['a child killed for memory, then a clean end', { oomKilled: true }, STATUS.MLE],
  ['killed for memory while over time', { ...killed, oomKilled: true, cpuMs: 2_000 }, STATUS.MLE],
  ['the CPU limit', { ...killed, fired: 'cpu', cpuMs: 1_101 }, STATUS.TLE],
  ['the CPU limit at the memory edge', { ...killed, fired: 'cpu', memoryKb: 99_999 }, STATUS.TLE],
  ['the wall limit with little CPU', { ...killed, fired: 'wall', cpuMs: 1 }, STATUS.TLE],
  ['over CPU, ended by itself', { cpuMs: 1_001 }, STATUS.TLE],
  ['exactly the CPU limit', { cpuMs: 1_000 }, null],
  ['over CPU and a bad exit code', { cpuMs: 1_001, exitCode: 1 }, STATUS.TLE],
  ['a signal', { exitCode: null, signal: 11 }, STATUS.RE],
  ['a signal that only looks like the OOM killer', { ...killed }, STATUS.RE],
  ['exit code 137', { exitCode: 137 }, STATUS.RE],
  ['exit code 1', { exitCode: 1 }, STATUS.RE],
  ['abort at 99 % of memory', { exitCode: null, signal: 6, memoryKb: 99_000 }, STATUS.MLE],
  ['abort just below 99 %', { exitCode: null, signal: 6, memoryKb: 98_999 }, STATUS.RE],
  ['bad exit code at 99 % of memory', { exitCode: 1, memoryKb: 99_500 }, STATUS.MLE],
  ['a clean end at the memory limit', { memoryKb: 100_000 }, null],
]

describe('the verdict of a case', () => {
  it.each(TABLE)('%s', (_what, end, verdict) => {
    expect(verdictOfEnd(ended(end), LIMITS)).toBe(verdict)
  })

  it('is AC or WA by the output after a clean end', async () => {
    expect(await verdictOfCase(ended({}), LIMITS, async () => true)).toBe(STATUS.AC)
    expect(await verdictOfCase(ended({}), LIMITS, async () => false)).toBe(STATUS.WA)
  })

  it('does not look at the output of a run that ended badly', async () => {
    const verdict = await verdictOfCase(ended({ exitCode: 1 }), LIMITS, () => {
      throw new Error('the output was compared')
    })
    expect(verdict).toBe(STATUS.RE)
  })
})

describe('the end that people are told', () => {
  it.each<[string, number, Partial<RunResult>, string | undefined]>([
    ['the CPU limit', STATUS.TLE, { ...killed, fired: 'cpu', cpuMs: 1_101 }, 'cpu'],
    ['over CPU, ended by itself', STATUS.TLE, { cpuMs: 1_001 }, 'cpu'],
    ['exactly the CPU limit', STATUS.TLE, { cpuMs: 1_000 }, undefined],
    ['the wall limit over CPU', STATUS.TLE, { ...killed, fired: 'wall', cpuMs: 1_001 }, 'wall'],
    ['an illegal instruction', STATUS.RE, { exitCode: null, signal: 4 }, 'SIGILL'],
    ['an abort', STATUS.RE, { exitCode: null, signal: 6 }, 'SIGABRT'],
    ['nothing that the run explains', STATUS.RE, {}, undefined],
    ['a wrong answer with an exit code', STATUS.WA, { exitCode: 3 }, undefined],
    ['the wall limit', STATUS.TLE, { ...killed, fired: 'wall', cpuMs: 1 }, 'wall'],
    ['too slow for its interactor', STATUS.TLE, {}, undefined],
    ['an exit code', STATUS.RE, { exitCode: 3 }, 'exit'],
    ['a division by zero', STATUS.RE, { exitCode: null, signal: 8 }, 'SIGFPE'],
    ['a bad access', STATUS.RE, { exitCode: null, signal: 11 }, 'SIGSEGV'],
    ['a signal that tells nothing', STATUS.RE, { exitCode: null, signal: 10 }, 'signal'],
    ['a right answer', STATUS.AC, {}, undefined],
    ['memory, by its abort', STATUS.MLE, { exitCode: null, signal: 6 }, undefined],
  ])('%s', (_what, verdict, end, told) => {
    expect(endOf(verdict as Verdict, ended(end), LIMITS)).toBe(told)
  })
})

describe('the verdict of a conversation', () => {
  const crashed = { exitCode: null, signal: 6 }
  const first = { closedFirst: 'program' as const }
  const second = { closedFirst: 'peer' as const }
  const stopped = { ...killed, fired: 'wall' as const }
  const fine = {}
  const { AC, WA } = STATUS
  it.each<
    [
      what: string,
      submission: Partial<RunResult>,
      said: typeof AC | typeof WA | null,
      interactor: Partial<RunResult>,
      verdict: number | null,
    ]
  >([
    ['accepted, and both end well', first, AC, fine, AC],
    ['refused after it ended well', first, WA, fine, WA],
    ['it crashed first', { ...first, ...crashed }, WA, fine, STATUS.RE],
    [
      'it crashed first and took the interactor along',
      { ...first, ...crashed },
      null,
      crashed,
      STATUS.RE,
    ],
    ['refused, and then it crashed', { ...second, ...crashed }, WA, fine, WA],
    ['refused, and then it never ended', { ...second, ...stopped }, WA, fine, WA],
    ['accepted, and then it crashed', { ...second, ...crashed }, AC, fine, STATUS.RE],
    ['accepted, and then it never ended', { ...second, ...stopped }, AC, fine, STATUS.TLE],
    ['both waited for each other', { ...first, ...stopped }, WA, fine, STATUS.TLE],
    ['it waited for an interactor that hung', { ...first, ...stopped }, null, stopped, null],
    [
      'it waited for an interactor that was busy',
      { ...first, ...stopped },
      WA,
      { cpuMs: 9_000 },
      STATUS.TLE,
    ],
    ['refused, and stopped for that', { ...killed, stopped: true }, WA, fine, WA],
    [
      'stopped because the interactor had failed',
      { ...killed, stopped: true },
      null,
      crashed,
      null,
    ],
    ['it used up its CPU time', { ...first, ...killed, fired: 'cpu' }, null, stopped, STATUS.TLE],
    ['it wrote too much', { ...first, ...killed, fired: 'output' }, WA, fine, STATUS.OLE],
    ['the interactor failed', second, null, crashed, null],
    [
      'the interactor failed and it crashed over that',
      { ...second, ...crashed },
      null,
      crashed,
      null,
    ],
    ['it ended well and the interactor could not bear it', first, null, crashed, null],
  ])('%s', (_what, submission, said, interactor, verdict) => {
    expect(verdictOfTalk(ended(submission), LIMITS, said, ended(interactor))).toBe(verdict)
  })
})

describe('the verdict of who made an interactor fail', () => {
  const { WA, TLE, OLE } = STATUS
  const flood = { outputBytes: 4 * 1024 + 1 }
  const bearable = { outputBytes: 4 * 1024 }
  const silent = { outputBytes: 0, closedFirst: 'peer' as const }
  const crashed = { exitCode: 70 }
  it.each<
    [what: string, submission: Partial<RunResult>, interactor: Partial<RunResult>, verdict: unknown]
  >([
    ['said something that it could not read', { outputBytes: 1 }, crashed, WA],
    ['ended before it had said anything', { ...silent, closedFirst: 'program' }, crashed, WA],
    ['had not said anything yet', silent, crashed, null],
    ['drowned it in questions', flood, { ...killed, fired: 'cpu' }, TLE],
    ['drowned it until after its end', flood, { ...killed, fired: 'wall' }, TLE],
    ['made it answer too much', flood, { ...killed, fired: 'output' }, OLE],
    ['filled its memory', flood, { ...killed, fired: 'memory' }, OLE],
    ['had one of its processes killed for memory', flood, { oomKilled: true }, OLE],
    ['asked no more than it has to bear', bearable, { ...killed, fired: 'cpu' }, null],
    ['said no more than fits into memory', bearable, { ...killed, fired: 'memory' }, null],
  ])('%s', (_what, submission, interactor, verdict) => {
    expect(verdictOfFailure(ended(submission), ended(interactor), false)).toBe(verdict)
    expect(verdictOfFailure(ended(submission), ended(interactor), true)).toBeNull()
  })
})

describe('a near miss', () => {
  it.each<[string, Partial<RunResult>, boolean]>([
    ['ended by itself 10 % over', { cpuMs: 1_100, wallMs: 1_120 }, true],
    ['ended by itself in time', { cpuMs: 1_000, wallMs: 1_020 }, false],
    ['slept for most of a second besides', { cpuMs: 1_040, wallMs: 1_840 }, false],
    ['slept for a fifth of its time', { cpuMs: 1_040, wallMs: 1_260 }, false],
    ['was stopped for CPU', { ...killed, fired: 'cpu' as const, cpuMs: 1_101 }, false],
    ['was stopped for wall time', { ...killed, fired: 'wall' as const, cpuMs: 50 }, false],
    ['waited for a core that others had', { cpuMs: 1_050, wallMs: 3_000, waitedMs: 1_900 }, true],
    ['slept beside that', { cpuMs: 1_050, wallMs: 3_000, waitedMs: 1_500 }, false],
    [
      'ended by itself 10 % over, and waited as long as a busy program may',
      { cpuMs: 1_100, wallMs: 1_260 },
      true,
    ],
    ['waited a ms longer', { cpuMs: 1_100, wallMs: 1_261 }, false],
    ['ended by itself a ms above that', { cpuMs: 1_101, wallMs: 1_120 }, false],
    ['was stopped on request', { ...killed, stopped: true, cpuMs: 1_050 }, false],
    ['was stopped on request and ended well', { stopped: true, cpuMs: 1_050 }, false],
    ['was killed for memory', { ...killed, oomKilled: true, cpuMs: 1_050 }, false],
  ])('%s', (_what, end, expected) => {
    expect(isNearMiss(ended(end), LIMITS)).toBe(expected)
  })
})
