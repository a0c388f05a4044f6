/** Turns the limits of a subtask into those that the sandbox enforces (docs/judging.md, "Limits"). Pure. */
import type { Subtask } from '#contract/problems'
import type { Limits } from '../sandbox/box.ts'

/** The limits of a case. Their names have units; the names in the API have none. */
export interface CaseLimits {
  timeMs: number
  memoryKb: number
  outputKb: number
}

/** Only this function reads the API's names of limits. */
export function caseLimitsOf({ timeLimit, memoryLimit, outputLimit }: Subtask): CaseLimits {
  return { timeMs: timeLimit, memoryKb: memoryLimit, outputKb: outputLimit }
}

/**
 * A program is stopped this much above its CPU limit, not at it. A program that ends by itself between the two is a near
 * miss and gets a second run. If programs were stopped at the limit, every endless loop would be run twice.
 */
const NEAR_MISS_SHARE = 0.1

/** The most second runs of near misses in one submission. */
export const MAX_SECOND_RUNS = 3

/**
 * A program counts as busy while its wall time exceeds its CPU time by at most this share and these ms. Only a busy
 * program gets a second run: neighbours do not slow one that sleeps, and the other slots would wait for it.
 */
const IDLE_SHARE = 0.1
const IDLE_MS = 50
/** The additional wall time of a second run, ms. If it runs out, the machine is too busy and the job goes back. */
const SECOND_RUN_MS = 500

/** Second runs may hold up the other slots for this share of the time. Unused time is saved, at most `share` of one window. */
export const ALONE = { share: 0.02, windowMs: 100_000 } as const

const PIDS = 32
const WORK_DIR_BYTES = 64 * 1024 * 1024

/** CPU time at which a program is stopped, ms. */
export function cpuStopMs(timeLimitMs: number): number {
  return Math.ceil(timeLimitMs * (1 + NEAR_MISS_SHARE))
}

/** Up to this wall time a program with this much CPU time counts as busy, ms. */
export function busyWallMs(cpuMs: number): number {
  return Math.ceil(cpuMs * (1 + IDLE_SHARE)) + IDLE_MS
}

/** The sandbox limits of a case. */
export function runLimits({ timeMs, memoryKb, outputKb }: CaseLimits): Limits {
  return {
    cpuMs: cpuStopMs(timeMs),
    wallMs: Math.max(2 * timeMs, timeMs + 1_000),
    memoryKb,
    outputBytes: outputKb * 1024,
    pids: PIDS,
    workDirBytes: WORK_DIR_BYTES,
  }
}

/** The sandbox limits of a second run. The first run was busy all the time, so the second needs no wall time for waiting. */
export function secondRunLimits(caseLimits: CaseLimits): Limits {
  const limits = runLimits(caseLimits)
  return { ...limits, wallMs: busyWallMs(limits.cpuMs) + SECOND_RUN_MS }
}

/** Bytes that an interactor may write to a submission on one case. */
const INTERACTOR_OUTPUT_BYTES = 64 * 1024 * 1024

/**
 * Every interactor must handle this many bytes from a submission within its limits: a thousand short questions. If an
 * interactor exceeds a limit after more bytes, the submission flooded it.
 */
export const BEARABLE_BYTES = 4 * 1024

/**
 * The limits of an interactor. Its wall limit counts from the submission's end (see `converse`) and leaves room for all
 * of the interactor's CPU time.
 * @param limits of any checker or interactor
 */
export function interactorLimits(limits: Limits): Limits {
  return { ...limits, wallMs: limits.cpuMs + 1_000, outputBytes: INTERACTOR_OUTPUT_BYTES }
}

/** The limits of a program that stays silent to see whether an interactor fails by itself. */
export const SILENCE_LIMITS: Limits = {
  cpuMs: 1_000,
  wallMs: 1_000,
  memoryKb: 128 * 1024,
  outputBytes: 1024,
  pids: PIDS,
  workDirBytes: 1024 * 1024,
}

/** A checker must handle outputs up to this size, or up to this many times the size of input or answer. */
const FAIR_OUTPUT_BYTES = 1024 * 1024
const FAIR_OUTPUT_TIMES = 8

/** Whether an output is so much larger than input and answer that a checker need not handle it. */
export function isOutOfProportion(
  outputBytes: number,
  inputBytes: number,
  answerBytes: number,
): boolean {
  const fairBytes = FAIR_OUTPUT_TIMES * Math.max(inputBytes, answerBytes)
  return outputBytes > Math.max(FAIR_OUTPUT_BYTES, fairBytes)
}
