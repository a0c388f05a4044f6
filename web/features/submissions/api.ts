/** Queries for submissions. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import { caseOutput, submissionDetail, submissionPage } from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import { apiQuery, pagedQuery } from '../../lib/api/api-query.ts'
import type { SubmissionFilter } from './filter.ts'

/** Poll interval in ms of a list with pending submissions, for each page of the list, because all pages are read again. */
const REFRESH_MS = 3_000

/** GET /submission/{id}. */
export function submissionQuery(submissionId: string) {
  return apiQuery(['submission', submissionId], 'GET /submission/:id', {
    params: { id: submissionId },
    as: submissionDetail,
  })
}

/** GET /submission of one course, newest first, page by page; read again while a submission on any page is pending. */
export function submissionsQuery(course: string, filter: SubmissionFilter) {
  const key = ['submissions', course, filter]
  return infiniteQueryOptions({
    ...pagedQuery(key, 'GET /submission', { query: { course, ...filter }, as: submissionPage }),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ submissions }) =>
        submissions.some(({ status }) => status === STATUS.PENDING),
      )
        ? REFRESH_MS * state.data.pages.length
        : false,
  })
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
    'GET /submission/:id/output/:task/:case',
    { params: { id: submissionId, task: subtask, case: index }, as: caseOutput },
    { staleTime: Infinity },
  )
}
