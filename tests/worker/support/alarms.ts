/** The operator of the tests: a webhook and an address that alarms come to. */
import { alarmNotice, type AlarmNotice } from '#contract/installation/alarms'
import type { Env } from '../../../worker/env.ts'
import { allRows } from './sql.ts'
import { workerEnv } from './step-queue.ts'

/** Somebody whom alarms are told, by both ways. @param status of the webhook's answers; `held`: none before `notices` is called */
export function newOperator(status: number | 'held' = 200) {
  // Workers of other test files call the same services.
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
    /** What the webhook was sent, in order. */
    notices: () => receivedAt(url),
    mails: () =>
      allRows<{ subject: string; text: string }>`
        select subject, text from logged_mails where recipient = ${email} order by id`,
  }
}
