/** Trials of the set-up page. */
import { mailTrial } from '#contract/installation/setup'
import { anything, callApi } from '../../lib/api/api.ts'

/** POST /setup/mail. */
export function sendTestMail() {
  return callApi('/setup/mail', mailTrial, { method: 'POST' })
}

/** POST /setup/hashing. */
export function tryHashing() {
  return callApi('/setup/hashing', anything, { method: 'POST' })
}
