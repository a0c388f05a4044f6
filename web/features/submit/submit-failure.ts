import { ApiError } from '../../lib/api-error.ts'

/** Statuses whose refusal the API explains better than the generic message. */
const EXPLAINED = [400, 403, 409, 413, 429]

/** What is said about a failed submission: the API's `reason`, the `generic` message, or nothing. */
export function failureKind(error: unknown): 'reason' | 'generic' | null {
  if (error === null) return null
  if (!(error instanceof ApiError)) return 'generic'
  // The dialog that asks to sign in again says it, and is gone after that.
  if (error.status === 401) return null
  return EXPLAINED.includes(error.status) ? 'reason' : 'generic'
}
