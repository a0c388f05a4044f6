/** Whether a person has solved a problem, begun it, or not touched it. */
import type { ProblemProgress } from '#contract/homeworks'
import { TOTAL_SCORE } from '#contract/limits'
import type { ProblemItem } from '#contract/problems'
import { STATUS } from '#contract/verdicts'

export type Mark = 'solved' | 'begun' | 'untouched'

/** The reader's mark on a problem, from all of their submissions. */
export function markOfProblem({
  solved,
  submitCount,
}: Pick<ProblemItem, 'solved' | 'submitCount'>): Mark {
  if (solved) return 'solved'
  return submitCount > 0 ? 'begun' : 'untouched'
}

/** Whether a late submission that counts has the full score, so that nothing is left to do. */
function isSolvedLate({ late, counted }: ProblemProgress): boolean {
  return (
    late !== null && late.score === TOTAL_SCORE && late.submissionIds.some((id) => id === counted)
  )
}

/** The mark on a problem of a homework: only submissions in time, and late ones that count, solve it. */
export function markOfProgress(progress: ProblemProgress | undefined): Mark {
  if (progress === undefined) return 'untouched'
  return progress.problemStatus === STATUS.AC || isSolvedLate(progress) ? 'solved' : 'begun'
}

/** How many problems of a homework are solved. @param own progress by problem id */
export function countSolved(problemIds: number[], own: Record<string, ProblemProgress>): number {
  return problemIds.filter((id) => markOfProgress(own[id]) === 'solved').length
}
