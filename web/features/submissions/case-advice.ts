/** Advice on what to look at after a failed case, as far as its result or the source tells. */
import { languageOf } from '#contract/languages'
import type { LanguageCode } from '#contract/languages/codes'
import { TOTAL_SCORE } from '#contract/limits'
import type { SubmissionItem } from '#contract/submissions'
import { STATUS, type CaseEnd, type CaseResult } from '#contract/verdicts'

const BY_STATUS = {
  [STATUS.WA]: 'wrong',
  [STATUS.TLE]: 'time',
  [STATUS.MLE]: 'memory',
  [STATUS.RE]: 'crash',
  [STATUS.OLE]: 'output',
} as const

/** The keys of the texts below `submission.advice`. */
type Advice =
  (typeof BY_STATUS)[keyof typeof BY_STATUS] | CaseEnd | 'exception' | 'device' | 'freopen'

/** What the source opens although the judge's sandbox does not have it; null: nothing. */
function openedInVain(source: string, language: LanguageCode): 'device' | 'freopen' | null {
  const { comment } = languageOf(language)
  const lines = source.split('\n').map((line) => line.split(comment, 1)[0] ?? '')
  if (lines.some((line) => /["']\/dev\/std(?:in|out)["']/.test(line))) return 'device'
  // Code that checks ONLINE_JUDGE calls `freopen` only on its author's own computer.
  const callsFreopen = lines.some((line) => /\bfreopen\s{0,9}\(\s{0,9}"/.test(line))
  return callsFreopen && !source.includes('ONLINE_JUDGE') ? 'freopen' : null
}

function adviceOfEnd({ status, end }: CaseResult, language: LanguageCode) {
  // Python ends in this way after an exception.
  if (end === 'exit' && languageOf(language).id === 'py3') return 'exception'
  if (end !== undefined) return end
  return status !== null && status in BY_STATUS ? BY_STATUS[status as keyof typeof BY_STATUS] : null
}

/** What to look at, in order; empty if the case did not fail. */
export function adviceOf(result: CaseResult, language: LanguageCode, source: string): Advice[] {
  const ofEnd = adviceOfEnd(result, language)
  if (ofEnd === null) return []
  const inVain = openedInVain(source, language)
  return inVain === null ? [ofEnd] : [ofEnd, inVain]
}

/** Whether the submission has all points, although a subtask without points failed. */
export function isOnlyUnscored({ status, score }: Pick<SubmissionItem, 'status' | 'score'>) {
  return score === TOTAL_SCORE && status !== STATUS.AC && status !== STATUS.PENDING
}
