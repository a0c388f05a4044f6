/** What the end of a run means for its case; see docs/judging.md. Pure; the sandbox's own failures never get here. */
import type { Subtask } from '#contract/problems'
import { STATUS, type Verdict } from '#contract/verdicts'
import { BEARABLE_BYTES, busyWallMs, cpuStopMs } from './run-limits.ts'
import type { RunResult } from '../sandbox/box.ts'

/** The limits a verdict depends on: ms of CPU and KB. */
type CaseLimits = Pick<Subtask, 'timeLimit' | 'memoryLimit'>

/** An abnormal end this close to the memory limit is put down to memory. */
const MEMORY_EDGE = 0.99

/** Whether the program ended by a signal or with a non-zero exit code. */
function endedBadly(result: RunResult): boolean {
  return result.signal !== null || result.exitCode !== 0
}

/**
 * The verdict that needs no look at the output; null when the output decides between AC and WA.
 * The limit that fired first wins: a kernel kill for memory always comes before our own kill for time,
 * so it outranks it. Exit codes, self-raised signals and stderr never hint at a limit.
 */
export function verdictOfEnd(result: RunResult, limits: CaseLimits): Verdict | null {
  if (result.fired === 'output') return STATUS.OLE
  if (result.oomKilled || result.fired === 'memory') return STATUS.MLE
  if (result.fired === 'cpu' || result.fired === 'wall') return STATUS.TLE
  if (endedBadly(result) && result.memoryKb >= limits.memoryLimit * MEMORY_EDGE) return STATUS.MLE
  if (result.cpuMs > limits.timeLimit) return STATUS.TLE
  return endedBadly(result) ? STATUS.RE : null
}

/**
 * Verdict of a case.
 * @param matches whether the output equals the expected one; asked only when it decides
 */
export async function verdictOfCase(
  result: RunResult,
  limits: CaseLimits,
  matches: () => Promise<boolean>,
): Promise<Verdict> {
  const verdict = verdictOfEnd(result, limits)
  if (verdict !== null) return verdict
  return (await matches()) ? STATUS.AC : STATUS.WA
}

/**
 * Verdict of a case on which a submission talked with an interactor; null when the interactor failed.
 * Whoever ended first caused what came after: a submission that breaks its limits or crashes gets that
 * verdict, whatever the interactor made of it; one that ends badly because the interactor had gone, or was
 * stopped over what the interactor said, gets that.
 * @param said what the interactor said of the submission; null when it failed
 */
export function verdictOfTalk(
  submission: RunResult,
  limits: CaseLimits,
  said: Verdict | null,
  interactor: RunResult,
): Verdict | null {
  const end = submission.stopped ? null : verdictOfEnd(submission, limits)
  const stuck = submission.fired === 'wall' && interactor.fired !== null
  if (submission.closedFirst !== 'peer' && end !== null && !stuck) return end
  return said === STATUS.AC ? (end ?? said) : said
}

/**
 * What a submission gets whose doing it may be that its interactor failed; null when that is the interactor's. No
 * program may get a Judge Error, which costs it nothing, by what it says or leaves unsaid.
 * @param onPurpose whether the interactor said itself that the fault is not the submission's
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
 * Whether a run was too slow by so little that it deserves a second one: it ended by itself within 10 % of the limit,
 * and was busy all the while that it had the core, so that its time is what neighbours could have made longer.
 */
export function isNearMiss(result: RunResult, limits: CaseLimits): boolean {
  return (
    result.fired === null &&
    !result.stopped &&
    verdictOfEnd(result, limits) === STATUS.TLE &&
    result.cpuMs <= cpuStopMs(limits.timeLimit) &&
    result.wallMs - result.waitedMs <= busyWallMs(result.cpuMs)
  )
}
