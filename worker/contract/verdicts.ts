/** Status codes, and the rules from case results to verdicts and scores; see docs/judging.md. */
import * as z from 'zod'
import { listOf } from '#contract/fields'
import { COUNT_LIMITS } from '#contract/limits'

/** Status codes. −2: a two-step submission that waits for its code. −1: pending. 0–7: final. */
export const STATUS = {
  CLAIMED: -2,
  PENDING: -1,
  AC: 0,
  WA: 1,
  CE: 2,
  TLE: 3,
  MLE: 4,
  RE: 5,
  JE: 6,
  OLE: 7,
} as const

/** The names users see. */
export const STATUS_NAMES = {
  '-1': 'Pending',
  '0': 'Accepted',
  '1': 'Wrong Answer',
  '2': 'Compile Error',
  '3': 'Time Limit Exceed',
  '4': 'Memory Limit Exceed',
  '5': 'Runtime Error',
  '6': 'Judge Error',
  '7': 'Output Limit Exceed',
} as const

/** A final verdict, 0–7. */
export const verdict = z.literal([0, 1, 2, 3, 4, 5, 6, 7])
export type Verdict = z.infer<typeof verdict>

/** The status of a listed submission: pending or final. */
export const submissionStatus = z.literal([-1, 0, 1, 2, 3, 4, 5, 6, 7])
export type SubmissionStatus = z.infer<typeof submissionStatus>

/**
 * How the run of a failed case ended, where the verdict leaves that open. Time Limit Exceed: by CPU or wall
 * time. Runtime Error: by an exit code other than 0, a known signal or another one.
 */
export const caseEnd = z.enum([
  'cpu',
  'wall',
  'exit',
  'SIGILL',
  'SIGABRT',
  'SIGFPE',
  'SIGSEGV',
  'signal',
])
export type CaseEnd = z.infer<typeof caseEnd>

/**
 * The result of one case. `status` null: skipped, because an earlier case of its subtask failed. CPU time in ms, memory in KB.
 * `end` is absent where the verdict says it all, and in older results.
 */
export const caseResult = z.object({
  status: verdict.nullable(),
  runTime: z.int().min(0).nullable(),
  memoryUsage: z.int().min(0).nullable(),
  end: caseEnd.optional(),
})
export type CaseResult = z.infer<typeof caseResult>

/** The result of one subtask, with its cases. */
export const subtaskResult = caseResult.omit({ end: true }).extend({
  score: z.int().min(0).max(100),
  cases: listOf(caseResult, COUNT_LIMITS.casesPerSubtask),
})
export type SubtaskResult = z.infer<typeof subtaskResult>

/** The result of a judgement. */
export interface Outcome {
  status: Verdict
  score: number
  runTime: number | null
  memoryUsage: number | null
  tasks: SubtaskResult[]
}

/** The largest number of a list; nulls do not count. Null when there is no number. */
function largest(values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : Math.max(...known)
}

/**
 * The result of a subtask: the verdict of the first failed case; the full score or nothing.
 * @param cases results in order, skipped ones included
 * @param score score of the subtask when every case is accepted
 */
export function judgeSubtask(cases: CaseResult[], score: number): SubtaskResult {
  const failed = cases.find((result) => result.status !== STATUS.AC && result.status !== null)
  return {
    status: failed ? failed.status : STATUS.AC,
    score: failed ? 0 : score,
    runTime: largest(cases.map((result) => result.runTime)),
    memoryUsage: largest(cases.map((result) => result.memoryUsage)),
    cases,
  }
}

/**
 * The result of all subtasks. The verdict is Judge Error if a subtask has one, because staff must look at that; else it is the
 * verdict of the first subtask that is not accepted. The score is the sum; time and memory are the largest.
 */
export function judgeOutcome(subtasks: SubtaskResult[]): Outcome {
  const failed =
    subtasks.find((subtask) => subtask.status === STATUS.JE) ??
    subtasks.find((subtask) => subtask.status !== STATUS.AC)
  return {
    status: failed?.status ?? STATUS.AC,
    score: subtasks.reduce((sum, subtask) => sum + subtask.score, 0),
    runTime: largest(subtasks.map((subtask) => subtask.runTime)),
    memoryUsage: largest(subtasks.map((subtask) => subtask.memoryUsage)),
    tasks: subtasks,
  }
}

/** The first failing case of a result: the one that decides on the submission; null if no case failed. Numbers from 0. */
export function firstFailure(
  tasks: readonly SubtaskResult[],
): { task: number; case: number; end: CaseEnd | null } | null {
  const task = tasks.findIndex(({ status }) => status !== STATUS.AC)
  const cases = tasks[task]?.cases ?? []
  const index = cases.findIndex(({ status }) => status !== STATUS.AC && status !== null)
  const found = cases[index]
  return found ? { task, case: index, end: found.end ?? null } : null
}

/**
 * The result of a judgement in which no case ran: Compile Error or Judge Error.
 * @param caseCounts number of cases per subtask; all are shown as skipped
 */
export function outcomeWithoutRun(status: Verdict, caseCounts: number[]): Outcome {
  const skipped: CaseResult = { status: null, runTime: null, memoryUsage: null }
  return {
    status,
    score: 0,
    runTime: null,
    memoryUsage: null,
    tasks: caseCounts.map((count) => ({
      ...skipped,
      status,
      score: 0,
      cases: Array.from({ length: count }, () => skipped),
    })),
  }
}
