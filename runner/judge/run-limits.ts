/** From the limits of a subtask to those the sandbox enforces; see docs/judging.md. Pure. */
import type { Subtask } from '#contract/problems'
import type { Limits } from '../sandbox/box.ts'

/**
 * A program is stopped this much above its CPU limit, not at it. Whoever ends by itself in between is a
 * near miss and gets a second run; whoever does not is plainly too slow. Stopped at the limit, the two
 * could not be told apart and every endless loop would be run twice.
 */
const NEAR_MISS_SHARE = 0.1

/** Second runs of near misses that one submission gets. */
export const MAX_SECOND_RUNS = 3

/**
 * Wall time beyond its CPU time up to which a program was busy all the while, as a share and in ms. Sleepers get no
 * second run: nothing slows sleep, and whoever waits for it are others.
 */
const IDLE_SHARE = 0.1
const IDLE_MS = 50
/** More of it for a second run, in ms: where it runs out, the machine counts as too busy to judge, and the job goes back. */
const SECOND_RUN_MS = 500

/** What the stops of all other slots for second runs may take: this share of the time, a window of it at once. */
export const ALONE = { share: 0.02, windowMs: 100_000 } as const

const PIDS = 32
const WORK_DIR_BYTES = 64 * 1024 * 1024

/** CPU above which a program is plainly too slow, in ms. */
export function cpuStopMs(timeLimitMs: number): number {
  return Math.ceil(timeLimitMs * (1 + NEAR_MISS_SHARE))
}

/** Wall time of a program that used this much CPU time and never waited, at most, in ms. */
export function busyWallMs(cpuMs: number): number {
  return Math.ceil(cpuMs * (1 + IDLE_SHARE)) + IDLE_MS
}

/** The sandbox limits of a case of this subtask. */
export function runLimits(subtask: Subtask): Limits {
  return {
    cpuMs: cpuStopMs(subtask.timeLimit),
    wallMs: Math.max(2 * subtask.timeLimit, subtask.timeLimit + 1_000),
    memoryKb: subtask.memoryLimit,
    outputBytes: subtask.outputLimit * 1024,
    pids: PIDS,
    workDirBytes: WORK_DIR_BYTES,
  }
}

/** Those of a near miss that is run once more: it was busy all the while, so it needs no wall time for waiting. */
export function secondRunLimits(subtask: Subtask): Limits {
  const limits = runLimits(subtask)
  return { ...limits, wallMs: busyWallMs(limits.cpuMs) + SECOND_RUN_MS }
}

/** What an interactor may write to a submission on one case. */
const INTERACTOR_OUTPUT_BYTES = 64 * 1024 * 1024

/**
 * What every interactor has to bear within its limits. One that exceeds a limit after a submission has told it more
 * was drowned: a thousand short questions are more than it takes to show what is wrong with an interactor.
 */
export const BEARABLE_BYTES = 4 * 1024

/**
 * The limits of an interactor. Its wall time counts from the end of the submission, for which it may well wait for as
 * long as that runs (see `converse`); it has enough for all its CPU time. @param own what any judging program may use
 */
export function interactorLimits(own: Limits): Limits {
  return { ...own, wallMs: own.cpuMs + 1_000, outputBytes: INTERACTOR_OUTPUT_BYTES }
}

/** Of who says nothing to an interactor: it has this long, beside what the interactor takes, to fail by itself. */
export const SILENCE_LIMITS: Limits = {
  cpuMs: 1_000,
  wallMs: 1_000,
  memoryKb: 128 * 1024,
  outputBytes: 1024,
  pids: PIDS,
  workDirBytes: 1024 * 1024,
}

/** An output within this size is never out of proportion, in bytes, nor one within this many times what it is about. */
const FAIR_OUTPUT_BYTES = 1024 * 1024
const FAIR_OUTPUT_TIMES = 8

/** Whether an output is so much larger than the case's input and answer that no checker need bear it. Sizes in bytes. */
export function isOutOfProportion(output: number, input: number, answer: number): boolean {
  return output > Math.max(FAIR_OUTPUT_BYTES, FAIR_OUTPUT_TIMES * Math.max(input, answer))
}
