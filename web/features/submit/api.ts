/** Calls of the page where code is handed in. */
import { queryOptions } from '@tanstack/react-query'
import { languageList } from '#contract/languages'
import { submissionCreated, type NewSubmission } from '#contract/submissions'
import { callApi } from '../../lib/api.ts'

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
