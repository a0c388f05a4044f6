/** Queries for one submission that several features need. */
import { caseOutput, submissionDetail } from '#contract/submissions'
import { apiQuery } from '../api/api-query.ts'

/** After this time the outputs of an unknown judgement are read again: a rejudge may have replaced them. */
const UNSURE_MS = 300_000

/** GET /submission/{id}. */
export function submissionQuery(submissionId: string) {
  return apiQuery(['submission', submissionId], 'GET /submission/:id', {
    params: { id: submissionId },
    as: submissionDetail,
  })
}

/**
 * GET /submission/{id}/output/{task}/{case}. Outputs of one judgement never change.
 * @param judgement the newest judgement; null if it is not known
 */
export function outputQuery(
  submissionId: string,
  judgement: string | null,
  subtask: number,
  index: number,
) {
  return apiQuery(
    ['output', submissionId, judgement, subtask, index],
    'GET /submission/:id/output/:task/:case',
    { params: { id: submissionId, task: subtask, case: index }, as: caseOutput },
    { staleTime: judgement === null ? UNSURE_MS : Infinity },
  )
}
