/** Trials of the set-up page. */
import { alarmTrial } from '#contract/installation/alarms'
import { mailTrial } from '#contract/installation/setup'
import { anything, callApi } from '../../lib/api/api.ts'

/** POST /setup/mail. */
export function sendTestMail() {
  return callApi('/setup/mail', mailTrial, { method: 'POST' })
}

/** POST /setup/alarms. */
export function sendTestAlarm() {
  return callApi('/setup/alarms', alarmTrial, { method: 'POST' })
}

/** POST /setup/hashing. */
export function tryHashing() {
  return callApi('/setup/hashing', anything, { method: 'POST' })
}
