/** Which cases have kept output that the reader may open. */
import { STATUS, type TaskResult } from '#contract/verdicts'

/**
 * Kept are the outputs of sample cases and of the first failing case of each subtask; the
 * submitter sees the former, staff both. Nothing is kept where nothing ran, or where judging failed.
 */
export function hasOutput(
  task: TaskResult,
  index: number,
  isSample: boolean,
  isStaff: boolean,
): boolean {
  const status = task.cases[index]?.status ?? null
  if (status === null || status === STATUS.JE) return false
  if (isSample) return true
  const firstFailing = task.cases.findIndex(
    (result) => result.status !== null && result.status !== STATUS.AC,
  )
  return isStaff && index === firstFailing
}
