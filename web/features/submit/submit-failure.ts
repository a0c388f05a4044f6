import { ApiError } from '../../lib/api/api-error.ts'

/** Statuses of refusals that the API explains better than the generic message. */
const EXPLAINED = [400, 403, 409, 413, 429]

/** The message of a failed submission: the API's `reason`, the `generic` message, or none. */
export function failureKind(error: unknown): 'reason' | 'generic' | null {
  if (error === null) return null
  if (!(error instanceof ApiError)) return 'generic'
  // The dialog that asks the user to sign in again explains this failure.
  if (error.status === 401) return null
  return EXPLAINED.includes(error.status) ? 'reason' : 'generic'
}
