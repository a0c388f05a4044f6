/** Calls of the home page. */
import { queryOptions } from '@tanstack/react-query'
import { submissionPage } from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import { call } from '../../lib/api/call.ts'

/** The number of newest submissions shown. */
const NEWEST = 5

/** Poll interval in ms while one of these submissions is pending. */
const PENDING_MS = 2_000

/** GET /submission: the user's submissions, newest first. */
export function newestSubmissionsQuery(username: string) {
  return queryOptions({
    queryKey: ['newest-submissions', username],
    queryFn: ({ signal }) =>
      call('GET /submission', { query: { username, limit: NEWEST }, signal, as: submissionPage }),
    refetchInterval: ({ state }) =>
      state.data?.submissions.some(({ status }) => status === STATUS.PENDING) ? PENDING_MS : false,
  })
}
