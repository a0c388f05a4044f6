/** Calls that use a mailed link, or ask for one. */
import type {
  ActivateBody,
  ConfirmEmailBody,
  MoveEmailBody,
  ResetBody,
} from '#contract/people/auth'
import { anything, callApi } from '../../lib/api/api.ts'

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

/** POST /auth/email/confirm. */
export function confirmEmail(body: ConfirmEmailBody) {
  return callApi('/auth/email/confirm', anything, { method: 'POST', body })
}

/** POST /auth/email/move. */
export function moveEmail(body: MoveEmailBody) {
  return callApi('/auth/email/move', anything, { method: 'POST', body })
}
