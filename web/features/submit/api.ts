/** Calls of the submit page. */
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

/** GET /languages. It changes only when a judge host is updated. */
export function languagesQuery() {
  return queryOptions({
    queryKey: ['languages'],
    queryFn: ({ signal }) => callApi('/languages', languageList, { signal }),
    staleTime: 300_000,
  })
}
