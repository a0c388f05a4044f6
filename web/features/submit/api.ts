/** Calls of the submit page. */
import { languageList } from '#contract/languages'
import { submissionCreated, type NewSubmission } from '#contract/submissions'
import { apiQuery } from '../../lib/api/api-query.ts'
import { callApi } from '../../lib/api/api.ts'

/**
 * POST /submission.
 * @param key makes a second try of the same submission harmless
 */
export function submitCode(body: NewSubmission, key: string, signal: AbortSignal) {
  return callApi('/submission', submissionCreated, {
    method: 'POST',
    body,
    headers: { 'Idempotency-Key': key },
    signal,
  })
}

/** GET /languages. It changes only when a judge host is updated. */
export const languagesQuery = apiQuery(['languages'], '/languages', languageList, {
  staleTime: 300_000,
})
