/** Makes the result that a judge host would have reported about a program. */
import { languageOf } from '#contract/languages'
import type { LanguageId } from '#contract/languages/codes'
import type { FailedCase } from '#contract/mistakes'
import type { Subtask } from '#contract/problems'
import {
  judgeOutcome,
  judgeSubtask,
  outcomeWithoutRun,
  STATUS,
  type CaseEnd,
  type CaseResult,
  type Outcome,
  type Verdict,
} from '#contract/verdicts'
import type { TermProgram } from './programs.ts'

/** Usual CPU time (ms) and memory (KB) of short programs, by language. */
const USUAL: Partial<Record<LanguageId, { runTimeMs: number; memoryKb: number }>> = {
  cpp: { runTimeMs: 2, memoryKb: 3_400 },
  py3: { runTimeMs: 19, memoryKb: 9_300 },
}
const USUAL_IN_C = { runTimeMs: 1, memoryKb: 300 }

/** How a case ends with these verdicts: no program of the term waits or crashes by a signal. */
const ENDS: Partial<Record<Verdict, CaseEnd>> = { [STATUS.TLE]: 'cpu', [STATUS.RE]: 'exit' }

/** The fields of a subtask that a result depends on. */
type Judged = Omit<Subtask, 'outputLimit' | 'sample'>
type Numbers = (min: number, max: number) => number

function caseOf(
  program: TermProgram,
  subtask: Judged,
  position: number,
  isFailed: boolean,
  number: Numbers,
): CaseResult {
  const status = isFailed ? program.status : STATUS.AC
  const usual = USUAL[languageOf(program.languageType).id] ?? USUAL_IN_C
  const more = number(0, 3) + position * number(0, Math.ceil(subtask.timeLimit / 100))
  const end = ENDS[status]
  return {
    status,
    ...(end && { end }),
    runTime: status === STATUS.TLE ? subtask.timeLimit + number(1, 9) : usual.runTimeMs + more,
    memoryUsage:
      status === STATUS.MLE ? subtask.memoryLimit : usual.memoryKb + number(0, 300) + 40 * more,
  }
}

/** The results of a subtask's cases: all accepted, or accepted until one fails. */
function casesOf(
  program: TermProgram,
  subtask: Judged,
  position: number,
  number: Numbers,
): CaseResult[] {
  const skipped: CaseResult = { status: null, runTime: null, memoryUsage: null }
  const failedCase = program.failed.get(position) ?? Infinity
  return Array.from({ length: subtask.caseCount }, (_, index) =>
    index > failedCase ? skipped : caseOf(program, subtask, position, index === failedCase, number),
  )
}

/** The first failing case of a program, which its verdict comes from; null: no case fails. */
export function firstFailed({ failed }: TermProgram): FailedCase | null {
  const [first] = failed
  return first ? { task: first[0], case: first[1] } : null
}

/** The result of a program; `number` varies times and memory. */
export function resultOf(
  program: TermProgram,
  subtasks: readonly Judged[],
  number: Numbers,
): Outcome {
  const { status } = program
  if (status === STATUS.CE || status === STATUS.JE)
    return outcomeWithoutRun(
      status,
      subtasks.map(({ caseCount }) => caseCount),
    )
  return judgeOutcome(
    subtasks.map((subtask, position) =>
      judgeSubtask(casesOf(program, subtask, position, number), subtask.taskScore),
    ),
  )
}
