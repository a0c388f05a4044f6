/** What to look at after a case that failed, as far as its result says anything. */
import { languageOf, type LanguageCode } from '#contract/languages'
import { TOTAL_SCORE } from '#contract/limits'
import type { SubmissionItem } from '#contract/submissions'
import { STATUS, type CaseResult } from '#contract/verdicts'

const BY_STATUS = {
  [STATUS.WA]: 'wrong',
  [STATUS.TLE]: 'time',
  [STATUS.MLE]: 'memory',
  [STATUS.RE]: 'crash',
  [STATUS.OLE]: 'output',
} as const

/** The name of the sentence below `submission.advice`; null if there is none. */
export function adviceOf({ status, end }: CaseResult, language: LanguageCode) {
  // Python ends so after an exception.
  if (end === 'exit' && languageOf(language).id === 'py3') return 'exception'
  if (end !== undefined) return end
  return status !== null && status in BY_STATUS ? BY_STATUS[status as keyof typeof BY_STATUS] : null
}

/** Whether every point is reached, and yet a subtask without points failed. */
export function isOnlyUnscored({ status, score }: Pick<SubmissionItem, 'status' | 'score'>) {
  return score === TOTAL_SCORE && status !== STATUS.AC && status !== STATUS.PENDING
}
