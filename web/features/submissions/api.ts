/** Queries for lists of submissions. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import { submissionPage } from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import { pagedQuery } from '../../lib/api/api-query.ts'
import type { SubmissionFilter } from './filter.ts'

/** Poll interval in ms of a list with pending submissions, for each page of the list, because all pages are read again. */
const REFRESH_MS = 3_000

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
