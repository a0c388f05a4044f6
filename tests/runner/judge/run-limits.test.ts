/** How the limits of a subtask become the sandbox's limits (docs/judging.md, "Limits"). */
import { describe, expect, it } from 'vitest'
import { ARTEFACT_BYTES, COMPILE_LIMITS } from '../../../runner/compile/request.ts'
import { JUDGE_PROGRAM_LIMITS } from '../../../runner/judge/judge-program.ts'
import {
  BEARABLE_BYTES,
  busyWallMs,
  caseLimitsOf,
  cpuStopMs,
  interactorLimits,
  isOutOfProportion,
  runLimits,
  secondRunLimits,
  SILENCE_LIMITS,
} from '../../../runner/judge/run-limits.ts'

const MB = 1024 * 1024
const CASE = { timeMs: 1_000, memoryKb: 65_536, outputKb: 64 }

describe('the limits of a run', () => {
  it('come from the wire under names with units', () => {
    const subtask = { caseCount: 1, taskScore: 100, sample: false }
    const limits = { timeLimit: 1_000, memoryLimit: 65_536, outputLimit: 64 }
    expect(caseLimitsOf({ ...subtask, ...limits })).toEqual(CASE)
  })

  it('give wall time of twice the limit or one second more, whichever is larger', () => {
    expect(runLimits({ ...CASE, timeMs: 100 }).wallMs).toBe(1_100)
    expect(runLimits({ ...CASE, timeMs: 3_000 }).wallMs).toBe(6_000)
  })

  it('stop a program 10 % above its CPU limit, and count output in bytes', () => {
    expect(runLimits(CASE)).toEqual({
      cpuMs: 1_100,
      wallMs: 2_000,
      memoryKb: 65_536,
      outputBytes: 65_536,
      pids: 32,
      workDirBytes: 64 * MB,
    })
    expect(cpuStopMs(1)).toBe(2)
  })

  it('give a second run the wall time of a program that never waits, and half a second', () => {
    expect(busyWallMs(1_001)).toBe(1_152)
    expect(secondRunLimits(CASE)).toEqual({ ...runLimits(CASE), wallMs: busyWallMs(1_100) + 500 })
  })
})

describe('the limits of an interactor', () => {
  it('have wall time for all its CPU time, and room for what it says', () => {
    const limits = { ...runLimits(CASE), cpuMs: 7_000 }
    expect(interactorLimits(limits)).toEqual({ ...limits, wallMs: 8_000, outputBytes: 64 * MB })
    expect(BEARABLE_BYTES).toBe(4_096)
  })

  it('are tried by a program that says nothing for a second', () => {
    expect(SILENCE_LIMITS).toEqual({
      cpuMs: 1_000,
      wallMs: 1_000,
      memoryKb: 131_072,
      outputBytes: 1_024,
      pids: 32,
      workDirBytes: MB,
    })
  })
})

it('a compiler, and a checker or interactor, have the limits of docs/judging.md and docs/checkers.md', () => {
  expect(COMPILE_LIMITS).toEqual({
    cpuMs: 10_000,
    wallMs: 15_000,
    memoryKb: 1024 * 1024,
    outputBytes: MB,
    pids: 32,
    workDirBytes: 6 * 64 * MB,
  })
  expect(ARTEFACT_BYTES).toBe(64 * MB)
  expect(JUDGE_PROGRAM_LIMITS).toEqual({
    cpuMs: 10_000,
    wallMs: 20_000,
    memoryKb: 512 * 1024,
    outputBytes: MB,
    pids: 32,
    workDirBytes: 64 * MB,
  })
})

describe('an output that no checker need handle', () => {
  it.each([
    ['has a megabyte, whatever the input', MB, 0, 0, false],
    ['has a byte more', MB + 1, 0, 0, true],
    ['is eight times the input', 8 * MB, MB, 0, false],
    ['is eight times the answer', 8 * MB, 0, MB, false],
    ['is more than that', 8 * MB + 1, MB, MB, true],
  ])('%s', (_what, output, input, answer, isOut) => {
    expect(isOutOfProportion(output, input, answer)).toBe(isOut)
  })
})
