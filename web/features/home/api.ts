/** What is next for who is signed in. */
import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod'
import { runningHomework } from '#contract/homeworks'
import { submissionPage } from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import { callApi, queryString } from '../../lib/api.ts'

/** How many of the newest submissions are shown. */
const NEWEST = 5

/** How often is asked while one of them waits for its verdict, in ms. */
const PENDING_MS = 2_000

/** GET /homework: what runs now, the one due first first. */
export const runningHomeworksQuery = queryOptions({
  queryKey: ['running-homeworks'],
  queryFn: ({ signal }) => callApi('/homework', z.array(runningHomework), { signal }),
})

/** GET /submission: one's own, newest first. */
export function newestSubmissionsQuery(username: string) {
  return queryOptions({
    queryKey: ['newest-submissions', username],
    queryFn: ({ signal }) =>
      callApi(`/submission${queryString({ username, limit: NEWEST })}`, submissionPage, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.submissions.some(({ status }) => status === STATUS.PENDING) ? PENDING_MS : false,
  })
}
