/** Tells the operator of alarms, by a webhook and by mail: each once when it begins and once when it is over. */
import type {
  AlarmChannel,
  AlarmNotice,
  AlarmState,
  AlarmTrial,
} from '#contract/installation/alarms'
import type { Db } from '../../db/client.ts'
import { safeError } from '../../db/safe-error.ts'
import { noteMails, noteTime } from '../../db/vitals.ts'
import type { Env } from '../../env.ts'
import { hasAlarmSetting } from '../../http/alarm-faults.ts'
import { mailerOf, mailFaults } from '../../http/mail.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { mailFault } from '../../lib/mail.ts'
import { callWebhook } from '../../lib/webhook.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { addAlarm, noteAlarms, noteTold, readFacts, type DueAlarm } from './queries.ts'
import { alarmsOf, lasting } from './states.ts'
import { ALARM_TEXTS } from './texts.ts'

const BACKUP_DAYS = 7

/** One way to tell the operator. `send` throws when the service did not take the notice. */
interface Channel {
  name: AlarmChannel
  send(title: string, notice: AlarmNotice): Promise<void>
}

/** Sends a notice to the webhook. */
async function tellWebhook(url: string, notice: AlarmNotice): Promise<void> {
  const fault = await callWebhook(url, JSON.stringify(notice))
  if (fault === 'silent') throw new Error('The webhook did not answer')
  if (fault !== null) throw new Error(`The webhook answered ${fault}`)
}

/** Sends a notice by mail. */
async function mailNotice(env: Env, db: Db, to: string, subject: string, notice: AlarmNotice) {
  const text = [notice.text, notice.url].join('\n\n')
  let isTaken = false
  try {
    await mailerOf(env).send({ to, subject, text })
    isTaken = true
  } finally {
    // A `mails_failing` notice that arrives does not end the alarm `mails_failing`: other mails may still be refused.
    const endsFailing = notice.state !== 'mails_failing'
    const outcome = isTaken ? { taken: 1, endsFailing } : { givenUp: 1 }
    // A fault of this statement must not make the mail go out again.
    await noteMails(db, outcome, nowSeconds()).catch(() => {})
  }
}

/** The channels that are configured. */
function channelsOf(env: Env, db: Db): Channel[] {
  const { ALARM_WEBHOOK_URL: url = '', ALARM_EMAIL: to = '' } = env
  const webhook: Channel = { name: 'webhook', send: (_, notice) => tellWebhook(url, notice) }
  const mail: Channel = {
    name: 'mail',
    send: (title, notice) => mailNotice(env, db, to, title, notice),
  }
  return [
    ...(hasAlarmSetting(env, 'ALARM_WEBHOOK_URL') ? [webhook] : []),
    ...(hasAlarmSetting(env, 'ALARM_EMAIL') && mailFaults(env).length === 0 ? [mail] : []),
  ]
}

/** Sends a notice to all channels at once. @returns the fault of each channel, or null if it took the notice */
async function sendAll(
  channels: readonly Channel[],
  title: string,
  notice: AlarmNotice,
): Promise<AlarmTrial> {
  return Promise.all(
    channels.map(async ({ name: channel, send }) => {
      try {
        await send(title, notice)
        return { channel, fault: null }
      } catch (error) {
        return { channel, fault: mailFault(error) }
      }
    }),
  )
}

/** Stores for the set-up page whether all channels took a notice. */
async function noteTrial(db: Db, outcome: AlarmTrial, now: number): Promise<void> {
  const isTold = outcome.every(({ fault }) => fault === null)
  await noteTime(db, isTold ? ['alarm_tried_at', 'alarm_told_at'] : 'alarm_tried_at', now)
}

/** The URL of a page; only its path while `WEB_ORIGIN` is not set. */
const pageOf = ({ WEB_ORIGIN: origin = '' }: Env, path: string) => `${origin}${path}`

function noticeOf(env: Env, { state, since, overAt }: DueAlarm) {
  const { title, act, path } = ALARM_TEXTS[state]
  const isOver = overAt !== null
  const notice = { state, since, isOver, url: pageOf(env, path) }
  return isOver
    ? { title: `Over: ${title}`, notice: { ...notice, text: `Over: ${title}.` } }
    : { title, notice: { ...notice, text: `${title}. ${act}` } }
}

/** Tells one alarm to the channels that do not know of it. */
async function tellOne(env: Env, db: Db, alarm: DueAlarm, now: number): Promise<void> {
  const told = { webhook: alarm.webhookTold, mail: alarm.mailTold }
  const untold = channelsOf(env, db).filter(({ name }) =>
    alarm.overAt === null ? told[name] !== 'begun' : told[name] === 'begun',
  )
  const { title, notice } = noticeOf(env, alarm)
  const outcome = await sendAll(untold, title, notice)
  for (const { channel, fault } of outcome)
    if (fault === null) await noteTold(db, alarm, channel, now)
    else console.error(JSON.stringify({ alarm: alarm.state, channel, fault }))
  await noteTrial(db, outcome, now)
}

/** Tells the alarms that this sweep has taken. Never throws: the next sweep tries again. */
async function tellAll(env: Env, db: Db, due: readonly DueAlarm[], now: number): Promise<void> {
  await Promise.all(
    due.map((alarm) =>
      tellOne(env, db, alarm, now).catch((error: unknown) =>
        console.error(JSON.stringify({ alarm: alarm.state, error: safeError(error) })),
      ),
    ),
  )
}

const namesOf = (channels: readonly Channel[]) => channels.map(({ name }) => name)

/** Finds, stores and tells the alarms, each minute. @returns a promise of the telling, for which other work need not wait */
export async function lookForAlarms(
  env: Env,
  db: Db,
  now: number,
): Promise<{ telling: Promise<void> }> {
  const facts = {
    ...(await readFacts(db, now)),
    version: packageJson.version,
    backupDays: Number(env.BACKUP_DAYS || BACKUP_DAYS),
  }
  const due = await noteAlarms(db, alarmsOf(facts, now), namesOf(channelsOf(env, db)), now)
  return { telling: tellAll(env, db, due, now) }
}

/** Adds an alarm that the sweeper cannot find itself, and tells it. @param since epoch seconds */
export async function raiseAlarm(
  env: Env,
  db: Db,
  state: AlarmState,
  since: number,
  now: number,
): Promise<void> {
  const channels = namesOf(channelsOf(env, db))
  await tellAll(env, db, await addAlarm(db, lasting(state, since, now), channels, now), now)
}

/** Sends a test to each configured channel. */
export async function tryAlarms(env: Env, db: Db, now: number): Promise<AlarmTrial> {
  const title = 'Alarms arrive'
  const text = `${title}. An admin asked for this test on the set-up page of the judge.`
  const url = pageOf(env, '/admin/setup')
  const notice: AlarmNotice = { state: 'test', since: now, isOver: false, text, url }
  const outcome = await sendAll(channelsOf(env, db), title, notice)
  await noteTrial(db, outcome, now)
  return outcome
}
