/** Which cases have kept output that the reader may open. */
import { STATUS, type SubtaskResult } from '#contract/verdicts'

/**
 * Kept are the outputs of sample cases and of the first failing case of each subtask; the
 * submitter sees the former, staff both. Nothing is kept where nothing ran, or where judging failed.
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
