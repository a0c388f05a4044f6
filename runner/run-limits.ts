/** From the limits of a subtask to those the sandbox enforces (judge design: sandbox, verdict rules). Pure. */
import type { Subtask } from '#contract/problems'
import type { Limits } from './sandbox/index.ts'

/**
 * A program is stopped this much above its CPU limit, not at it. Whoever ends by itself in between is a
 * near miss and gets a second run; whoever does not is plainly too slow. Stopped at the limit, the two
 * could not be told apart and every endless loop would be run twice.
 */
export const NEAR_MISS_SHARE = 0.1

/** Second runs of near misses that one submission gets. */
export const MAX_SECOND_RUNS = 3

const PIDS = 32
const WORK_DIR_BYTES = 64 * 1024 * 1024

/** CPU above which a program is plainly too slow, in ms. */
export function cpuStopMs(timeLimitMs: number): number {
  return Math.ceil(timeLimitMs * (1 + NEAR_MISS_SHARE))
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
