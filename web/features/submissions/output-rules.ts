/** The cases whose output is kept and visible to the reader. */
import type { SubmissionDetail } from '#contract/submissions'
import { STATUS, type SubtaskResult } from '#contract/verdicts'

/**
 * Whether a case has an output for the reader. The runner keeps outputs of sample cases, which the submitter and staff
 * see, and of the first failing case of each subtask, which only staff see. A case that did not run or could not be
 * judged has no output. A case that passed before its subtask became samples has no output either, but only an attempt
 * to read the output shows that.
 */
export function hasOutput(
  subtask: SubtaskResult,
  index: number,
  isSample: boolean,
  isStaff: boolean,
): boolean {
  const status = subtask.cases[index]?.status ?? null
  if (status === null || status === STATUS.JE) return false
  if (isSample) return true
  const firstFailing = subtask.cases.findIndex(
    (result) => result.status !== null && result.status !== STATUS.AC,
  )
  return isStaff && index === firstFailing
}

/** The subtasks, if any case has a result: none has after a Compile Error. */
export function subtasksRun({ tasks: subtasks }: SubmissionDetail) {
  return subtasks?.some(({ cases }) => cases.some(({ status }) => status !== null))
    ? subtasks
    : null
}

/** The index of a case's subtask, and the case's index in it. */
interface CasePlace {
  subtask: number
  index: number
}

/** The first failed case whose output the reader may see. */
export function firstVisibleFailure(
  { tasks: subtasks, sampleTasks, hasOutputs }: SubmissionDetail,
  isStaff: boolean,
): CasePlace | null {
  if (!hasOutputs || subtasks === null) return null
  for (const [subtask, result] of subtasks.entries()) {
    const isSample = sampleTasks.includes(subtask)
    const index = result.cases.findIndex(
      ({ status }, at) => status !== STATUS.AC && hasOutput(result, at, isSample, isStaff),
    )
    if (index >= 0) return { subtask, index }
  }
  return null
}
