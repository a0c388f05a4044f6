/**
 * Decides a case from how its run ended (docs/judging.md, "Verdict of a case"). Pure. Failures of the sandbox itself
 * never get here.
 */
import { constants } from 'node:os'
import { type CaseEnd, STATUS, type Verdict } from '#contract/verdicts'
import type { RunResult } from '../sandbox/box.ts'
import { BEARABLE_BYTES, busyWallMs, type CaseLimits, cpuStopMs } from './run-limits.ts'

/** The limits that a verdict depends on. */
type VerdictLimits = Pick<CaseLimits, 'timeMs' | 'memoryKb'>

/** A program that ends badly after using at least this share of its memory limit has exceeded the limit. */
const MEMORY_EDGE = 0.99

/** Whether the program ended by a signal, which leaves no exit code, or with an exit code other than 0. */
function endedBadly(result: RunResult): boolean {
  return result.exitCode !== 0
}

/**
 * The verdict that follows without a look at the output; null when the output decides between AC and WA.
 * The limit that fired first wins. A kill for memory by the kernel precedes our own kill for time, so it comes first.
 * Exit codes, signals that a program raises itself and stderr never hint at a limit.
 */
export function verdictOfEnd(result: RunResult, limits: VerdictLimits): Verdict | null {
  if (result.fired === 'output') return STATUS.OLE
  if (result.oomKilled || result.fired === 'memory') return STATUS.MLE
  if (result.fired === 'cpu' || result.fired === 'wall') return STATUS.TLE
  if (endedBadly(result) && result.memoryKb >= limits.memoryKb * MEMORY_EDGE) return STATUS.MLE
  if (result.cpuMs > limits.timeMs) return STATUS.TLE
  return endedBadly(result) ? STATUS.RE : null
}

/**
 * The verdict of a case whose output is compared.
 * @param matches whether the output is the expected one; called only when that decides
 */
export async function verdictOfCase(
  result: RunResult,
  limits: VerdictLimits,
  matches: () => Promise<boolean>,
): Promise<Verdict> {
  const verdict = verdictOfEnd(result, limits)
  if (verdict !== null) return verdict
  return (await matches()) ? STATUS.AC : STATUS.WA
}

/**
 * The verdict of a case on which a submission talked with an interactor; null when the interactor failed.
 * The program that ended first caused the other's end. A submission that breaks its limits or crashes gets that verdict,
 * whatever the interactor says. A submission that ended badly because the interactor had gone, or that was stopped because
 * the interactor had decided, gets the interactor's verdict.
 * @param said the interactor's verdict on the submission; null when it failed
 */
export function verdictOfTalk(
  submission: RunResult,
  limits: VerdictLimits,
  said: Verdict | null,
  interactor: RunResult,
): Verdict | null {
  const end = submission.stopped ? null : verdictOfEnd(submission, limits)
  const stuck = submission.fired === 'wall' && interactor.fired !== null
  if (submission.closedFirst !== 'peer' && end !== null && !stuck) return end
  return said === STATUS.AC ? (end ?? said) : said
}

/**
 * The verdict of a submission that may have made its interactor fail; null when the interactor is to blame. A Judge Error
 * costs a submission nothing, so no submission may bring one about by what it writes or does not write.
 * @param onPurpose whether the interactor itself reported that it failed
 */
export function verdictOfFailure(
  submission: RunResult,
  interactor: RunResult,
  onPurpose: boolean,
): Verdict | null {
  if (onPurpose) return null
  const outOfMemory = interactor.oomKilled || interactor.fired === 'memory'
  if (interactor.fired === null && !outOfMemory)
    return submission.outputBytes > 0 || submission.closedFirst === 'program' ? STATUS.WA : null
  if (submission.outputBytes <= BEARABLE_BYTES) return null
  return outOfMemory || interactor.fired === 'output' ? STATUS.OLE : STATUS.TLE
}

/**
 * Whether a run deserves a second one: it ended by itself within 10 % above the time limit, and was busy whenever it had
 * the core, so that neighbours may have made it slower.
 */
export function isNearMiss(result: RunResult, limits: VerdictLimits): boolean {
  return (
    result.fired === null &&
    !result.stopped &&
    verdictOfEnd(result, limits) === STATUS.TLE &&
    result.cpuMs <= cpuStopMs(limits.timeMs) &&
    result.wallMs - result.waitedMs <= busyWallMs(result.cpuMs)
  )
}

/** Signals that show people what to look for. */
const TELLING_SIGNALS = ['SIGILL', 'SIGABRT', 'SIGFPE', 'SIGSEGV'] as const

/** How a run ended, if the verdict does not already say it and the run does. */
export function endOf(
  verdict: Verdict,
  { fired, signal, exitCode, cpuMs }: RunResult,
  { timeMs }: Pick<VerdictLimits, 'timeMs'>,
): CaseEnd | undefined {
  if (verdict === STATUS.TLE) {
    if (fired === 'wall') return 'wall'
    return cpuMs > timeMs ? 'cpu' : undefined
  }
  if (verdict !== STATUS.RE) return undefined
  if (signal === null) return exitCode === 0 ? undefined : 'exit'
  return TELLING_SIGNALS.find((name) => constants.signals[name] === signal) ?? 'signal'
}
