/** Calls about submissions. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { caseOutput, submissionDetail, submissionPage } from '#contract/submissions'
import { anything, apiPath, callApi, queryString } from '../../lib/api.ts'
import type { SubmissionFilter } from './filter.ts'

/** GET /submission/{id}. */
export function submissionQuery(submissionId: string) {
  return queryOptions({
    queryKey: ['submission', submissionId],
    queryFn: ({ signal }) =>
      callApi(apiPath`/submission/${submissionId}`, submissionDetail, { signal }),
  })
}

/** GET /submission of one course, newest first, page by page. */
export function submissionsQuery(course: string, filter: SubmissionFilter) {
  return infiniteQueryOptions({
    queryKey: ['submissions', course, filter],
    queryFn: ({ signal, pageParam }) =>
      callApi(
        `/submission${queryString({ course, ...filter, cursor: pageParam })}`,
        submissionPage,
        {
          signal,
        },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
  })
}

/** GET /submission/{id}/output/{task}/{case}. Outputs of one judgement never change. */
export function outputQuery(
  submissionId: string,
  judgement: string,
  subtask: number,
  index: number,
) {
  return queryOptions({
    queryKey: ['output', submissionId, judgement, subtask, index],
    queryFn: ({ signal }) =>
      callApi(apiPath`/submission/${submissionId}/output/${subtask}/${index}`, caseOutput, {
        signal,
      }),
    staleTime: Infinity,
  })
}

/** POST /submission/{id}/rejudge. */
export function rejudge(submissionId: string) {
  return callApi(apiPath`/submission/${submissionId}/rejudge`, anything, { method: 'POST' })
}
