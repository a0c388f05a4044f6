/** Calls of the submit page. */
import { languageList } from '#contract/languages'
import { submissionCreated, type NewSubmission } from '#contract/submissions'
import { apiQuery } from '../../lib/api/api-query.ts'
import { call } from '../../lib/api/call.ts'

/** POST /submission. */
export function submitCode(body: NewSubmission, key: string, signal: AbortSignal) {
  return call('POST /submission', { body, key, signal, as: submissionCreated })
}

/** GET /languages. The answer changes only when a judge host is updated. */
export const languagesQuery = apiQuery(
  ['languages'],
  'GET /languages',
  { as: languageList },
  { staleTime: 300_000 },
)
