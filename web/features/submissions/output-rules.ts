/** The cases whose output is kept and visible to the reader. */
import type { SubmissionDetail } from '#contract/submissions'
import { STATUS, type SubtaskResult } from '#contract/verdicts'

/**
 * The runner keeps the outputs of sample cases and of the first failing case of each subtask. The submitter sees those
 * of samples, staff both. A case that did not run, or could not be judged, has none. Neither has one that passed before
 * its subtask became samples, which shows once it is looked at.
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

/** A case's place: indices of its subtask and of itself there. */
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
