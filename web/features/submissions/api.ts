/** Calls about submissions (contract §7). */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { languageList } from '#contract/languages'
import {
  caseOutput,
  submissionCreated,
  submissionDetail,
  submissionPage,
  type NewSubmission,
} from '#contract/submissions'
import { anything, apiPath, callApi, queryString } from '../../lib/api.ts'
import type { SubmissionFilter } from './filter.ts'

/**
 * POST /submission.
 * @param key makes a second try of the same submission harmless
 */
export function submitCode(body: NewSubmission, key: string) {
  return callApi('/submission', submissionCreated, {
    method: 'POST',
    body,
    headers: { 'Idempotency-Key': key },
  })
}

/** GET /languages. Changes when a judge host is updated, not while one types. */
export function languagesQuery() {
  return queryOptions({
    queryKey: ['languages'],
    queryFn: ({ signal }) => callApi('/languages', languageList, { signal }),
    staleTime: 300_000,
  })
}

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
export function outputQuery(submissionId: string, judgement: string, task: number, index: number) {
  return queryOptions({
    queryKey: ['output', submissionId, judgement, task, index],
    queryFn: ({ signal }) =>
      callApi(apiPath`/submission/${submissionId}/output/${task}/${index}`, caseOutput, { signal }),
    staleTime: Infinity,
  })
}

/** POST /submission/{id}/rejudge. */
export function rejudge(submissionId: string) {
  return callApi(apiPath`/submission/${submissionId}/rejudge`, anything, { method: 'POST' })
}
