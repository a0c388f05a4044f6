/** Calls about submissions. */
import { caseOutput, submissionDetail, submissionPage } from '#contract/submissions'
import { apiQuery, pagedQuery } from '../../lib/api/api-query.ts'
import { anything, apiPath, callApi } from '../../lib/api/api.ts'
import type { SubmissionFilter } from './filter.ts'

/** GET /submission/{id}. */
export function submissionQuery(submissionId: string) {
  return apiQuery(
    ['submission', submissionId],
    apiPath`/submission/${submissionId}`,
    submissionDetail,
  )
}

/** GET /submission of one course, newest first, page by page. */
export function submissionsQuery(course: string, filter: SubmissionFilter) {
  const key = ['submissions', course, filter]
  return pagedQuery(key, '/submission', { course, ...filter }, submissionPage)
}

/** GET /submission/{id}/output/{task}/{case}. Outputs of one judgement never change. */
export function outputQuery(
  submissionId: string,
  judgement: string,
  subtask: number,
  index: number,
) {
  return apiQuery(
    ['output', submissionId, judgement, subtask, index],
    apiPath`/submission/${submissionId}/output/${subtask}/${index}`,
    caseOutput,
    { staleTime: Infinity },
  )
}

/** POST /submission/{id}/rejudge. */
export function rejudge(submissionId: string) {
  return callApi(apiPath`/submission/${submissionId}/rejudge`, anything, { method: 'POST' })
}
