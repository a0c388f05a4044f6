/**
 * Checks that a result fits its job: it has the job's cases, and its verdicts and scores follow from them. The Worker checks a
 * result before it stores it, the runner before it sends it.
 */
import { KEPT_OUTPUT_TOTAL_BYTES } from '#contract/limits'
import type { ResultReport } from '#contract/judging'
import type { Subtask } from '#contract/problems'
import {
  judgeOutcome,
  judgeSubtask,
  outcomeWithoutRun,
  STATUS,
  type CaseEnd,
  type CaseResult,
  type Outcome,
} from '#contract/verdicts'

/** Bounds of one case's result. The run time may be `timeFactor` times the time limit plus `timeMs`. */
export const RESULT_LIMITS = { timeFactor: 10, timeMs: 10_000, memoryKb: 8 * 1024 * 1024 } as const

/** A subtask for this check. Time in ms, the language's factor included. */
export type CheckedSubtask = Pick<Subtask, 'caseCount' | 'taskScore' | 'timeLimit'> & {
  sample?: boolean | undefined
}

type Checked = Omit<ResultReport, 'lease'>

/**
 * What is wrong with a result; null when nothing is.
 * @param subtasks the subtasks of the job, in order
 * @returns plain words for staff, e.g. `subtask 1, case 0: an accepted case took 1200 ms of 1000`
 */
export function resultFault(subtasks: readonly CheckedSubtask[], report: Checked): string | null {
  if (report.tasks.length !== subtasks.length)
    return `${report.tasks.length} subtasks where the job has ${subtasks.length}`
  for (const [index, { caseCount }] of subtasks.entries()) {
    const count = report.tasks[index]?.cases.length
    if (count !== caseCount)
      return `subtask ${index}: ${count} cases where the job has ${caseCount}`
  }
  const ran = report.tasks.some(({ cases }) => cases.some(({ status }) => status !== null))
  const faults = ran
    ? subtasks.map((subtask, index) => casesFault(subtask, index, report.tasks[index]?.cases ?? []))
    : [withoutRunFault(report)]
  return (
    faults.find((fault) => fault !== null) ??
    outcomeFault(expectedOutcome(subtasks, report, ran), report) ??
    textsFault(report) ??
    outputsFault(subtasks, report)
  )
}

/** The outcome that follows from the cases, or from the fact that no case ran. */
function expectedOutcome(
  subtasks: readonly CheckedSubtask[],
  report: Checked,
  ran: boolean,
): Outcome {
  if (!ran)
    return outcomeWithoutRun(
      report.status,
      subtasks.map(({ caseCount }) => caseCount),
    )
  return judgeOutcome(
    subtasks.map(({ taskScore }, index) =>
      judgeSubtask(report.tasks[index]?.cases ?? [], taskScore),
    ),
  )
}

/** Cases run in order up to the first failure. The rest is skipped. */
function casesFault(subtask: CheckedSubtask, index: number, cases: CaseResult[]): string | null {
  let failed = false
  for (const [number, result] of cases.entries()) {
    const fault = failed ? skippedFault(result) : caseFault(subtask, result)
    if (fault !== null) return `subtask ${index}, case ${number}: ${fault}`
    failed ||= result.status !== STATUS.AC
  }
  return null
}

function skippedFault({
  status,
  runTime: runTimeMs,
  memoryUsage: memoryKb,
}: CaseResult): string | null {
  const isSkipped = status === null && runTimeMs === null && memoryKb === null
  return isSkipped ? null : 'has a result after a case that failed'
}

function isTimeEnd(end: CaseEnd): boolean {
  return end === 'cpu' || end === 'wall'
}

function caseFault({ timeLimit: timeLimitMs }: CheckedSubtask, result: CaseResult): string | null {
  const { status, runTime: runTimeMs, memoryUsage: memoryKb, end } = result
  if (status === null) return 'skipped though no case before it failed'
  if (status === STATUS.CE) return 'a Compile Error, which no case can have'
  if (status !== STATUS.JE && (runTimeMs === null || memoryKb === null))
    return 'ran without a time or a peak of memory'
  if ((runTimeMs ?? 0) > RESULT_LIMITS.timeFactor * timeLimitMs + RESULT_LIMITS.timeMs)
    return `took ${runTimeMs} ms where ${timeLimitMs} are allowed`
  if (status === STATUS.AC && (runTimeMs ?? 0) > timeLimitMs)
    return `an accepted case took ${runTimeMs} ms of ${timeLimitMs}`
  if (end !== undefined && status !== (isTimeEnd(end) ? STATUS.TLE : STATUS.RE))
    return `verdict ${status} for an end by ${end}`
  if ((memoryKb ?? 0) > RESULT_LIMITS.memoryKb) return `used ${memoryKb} KB of memory`
  return null
}

/** No case runs after a Compile Error, or when the data or a checker cannot be used. */
function withoutRunFault({ status }: Checked): string | null {
  return status === STATUS.CE || status === STATUS.JE ? null : `verdict ${status} without a case`
}

function outcomeFault(expected: Outcome, report: Checked): string | null {
  const same = (left: Omit<Outcome, 'tasks' | 'status'>, right: typeof left) =>
    left.score === right.score &&
    left.runTime === right.runTime &&
    left.memoryUsage === right.memoryUsage
  const wrong = expected.tasks.findIndex((subtask, index) => {
    const told = report.tasks[index]
    return told === undefined || told.status !== subtask.status || !same(subtask, told)
  })
  if (wrong !== -1) return `subtask ${wrong} does not follow from its cases`
  if (expected.status !== report.status || !same(expected, report))
    return 'the verdict, score, time or memory does not follow from the subtasks'
  return null
}

function textsFault({ status, compileMessage, reason }: Checked): string | null {
  if ((status === STATUS.CE) !== (compileMessage !== null))
    return 'a compile message belongs to a Compile Error and to nothing else'
  const areWellFormed = [compileMessage, reason].every((text) => text?.isWellFormed() ?? true)
  return areWellFormed ? null : 'a text with half a character'
}

/**
 * Output is kept of failed cases and of samples, once each and up to a total. Runners that do not know `sample` keep the output of
 * subtasks without points.
 */
function outputsFault(subtasks: readonly CheckedSubtask[], report: Checked): string | null {
  const seen = new Set<string>()
  let bytes = 0
  for (const output of report.outputs) {
    const name = `output of subtask ${output.task}, case ${output.case}`
    const status = report.tasks[output.task]?.cases[output.case]?.status ?? null
    if (status === null) return `${name}: this case has not run`
    const subtask = subtasks[output.task]
    if (status === STATUS.AC && !subtask?.sample && subtask?.taskScore !== 0)
      return `${name}: an accepted case keeps none`
    if (seen.has(name)) return `${name}: there twice`
    seen.add(name)
    bytes += [output.stdout, output.stderr, output.expected]
      .map((text) => (text.length / 4) * 3)
      .reduce((sum, length) => sum + length, 0)
  }
  // Base64 rounds each stream up to a multiple of three bytes.
  const most = KEPT_OUTPUT_TOTAL_BYTES + report.outputs.length * 6
  return bytes > most ? `${bytes} bytes of kept output` : null
}
