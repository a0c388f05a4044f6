/** The ways back into an account without its password (contract §2). */
import type { ActivateBody, ResetBody } from '#contract/auth'
import { anything, callApi } from '../../lib/api.ts'

/** POST /auth/password-recovery. */
export function requestRecovery(body: { email: string }) {
  return callApi('/auth/password-recovery', anything, { method: 'POST', body })
}

/** POST /auth/password-reset. */
export function resetPassword(body: ResetBody) {
  return callApi('/auth/password-reset', anything, { method: 'POST', body })
}

/** POST /auth/activate. */
export function activateAccount(body: ActivateBody) {
  return callApi('/auth/activate', anything, { method: 'POST', body })
}
