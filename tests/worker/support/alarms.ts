/** The tests' operator: a webhook and an email address that get alarms. */
import { alarmNotice, type AlarmNotice } from '#contract/installation/alarms'
import type { Env } from '../../../worker/env.ts'
import { allRows } from './sql.ts'
import { workerEnv } from './step-queue.ts'

/** An operator who gets alarms in both ways. @param status of the webhook's answers; `held`: no answer before `notices` is called */
export function newOperator(status: number | 'held' = 200) {
  // The name is unique, because tests in other files call the same services.
  const name = `operator-${crypto.randomUUID()}`
  const url = `https://hooks.test/${status}/${name}`
  const email = `${name}@example.test`
  const receivedAt = async (at: string): Promise<AlarmNotice[]> => {
    const bodies = await (await fetch(at)).json<string[]>()
    return bodies.map((body) => alarmNotice.parse(JSON.parse(body)))
  }
  return {
    env: { ...workerEnv, ALARM_WEBHOOK_URL: url, ALARM_EMAIL: email } satisfies Env,
    name,
    url,
    receivedAt,
    /** The notices that the webhook got, in order. */
    notices: () => receivedAt(url),
    mails: () =>
      allRows<{ subject: string; text: string }>`
        select subject, text from logged_mails where recipient = ${email} order by id`,
  }
}
