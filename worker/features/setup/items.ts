/** The check list of the admin's first-run page. */
import { JUDGING } from '#contract/limits'
import { settingFaults, type SettingFault } from '#contract/installation/settings'
import type { SetupItem } from '#contract/installation/setup'
import { ALARM_SWEEP_SECONDS } from '../../db/vitals.ts'
import type { Env } from '../../env.ts'
import { alarmFaults } from '../../http/alarm-faults.ts'
import { mailFaults } from '../../http/mail.ts'
import type { SetupFacts } from './queries.ts'

interface Situation {
  schema: 'ok' | 'behind' | 'unknown'
  /** Origin of the page that asks. */
  page: string
  facts: SetupFacts
  /** Epoch seconds. */
  now: number
}

/** The state of something that is alive while its last sign is young. */
function alive(at: number | null, now: number, seconds: number): Pick<SetupItem, 'state' | 'at'> {
  if (at === null) return { state: 'open', at }
  return { state: at > now - seconds ? 'done' : 'failed', at }
}

/** The state of something that was tried: whether it worked at its last trial. */
function tried(triedAt: number | null, workedAt: number | null): Pick<SetupItem, 'state' | 'at'> {
  if (triedAt === null) return { state: 'open', at: null }
  return { state: workedAt !== null && workedAt >= triedAt ? 'done' : 'failed', at: triedAt }
}

function isThere(there: boolean): Pick<SetupItem, 'state' | 'at'> {
  return { state: there ? 'done' : 'open', at: null }
}

/** The items in the order in which they are done. */
export function setupItemsOf(env: Env, { schema, page, facts, now }: Situation): SetupItem[] {
  const timeOf = (name: Parameters<typeof facts.times.get>[0]) => facts.times.get(name) ?? null
  const address = settingFaults(env, ['WEB_ORIGIN'], ['WEB_ORIGIN'])
  const names = ['RUNNER_REGISTRATION_TOKEN'] as const
  const registration = settingFaults(env, names, names)
  const mail = mailFaults(env)
  const trial =
    mail.length > 0 ? isThere(false) : tried(timeOf('mail_tried_at'), timeOf('mail_sent_at'))
  const alarms = alarmFaults(env)
  const told =
    alarms.length > 0 ? isThere(false) : tried(timeOf('alarm_tried_at'), timeOf('alarm_told_at'))
  const states: [SetupItem['item'], Pick<SetupItem, 'state' | 'at'>, SettingFault[]?][] = [
    ['database', { state: schema === 'ok' ? 'done' : 'failed', at: null }],
    [
      'address',
      address.length > 0 || env.WEB_ORIGIN === page
        ? isThere(address.length === 0)
        : { state: 'failed', at: null },
      address,
    ],
    ['cron', alive(timeOf('swept_at'), now, ALARM_SWEEP_SECONDS)],
    ['host', alive(facts.heartbeatAt, now, JUDGING.runnerAliveSeconds)],
    // Every course has a teacher; an admin may be the only one.
    ['teacher', isThere(facts.teacher || facts.course)],
    ['course', isThere(facts.course)],
    ['mail', trial, mail],
    ['alarms', told, alarms],
    ['hashing', tried(timeOf('hash_tried_at'), timeOf('hashed_at'))],
    ['registration', isThere(registration.length === 0), registration],
  ]
  const { waiting } = facts
  return states.map(([item, state, lacks = []]) => ({
    item,
    ...state,
    lacks,
    ...(item === 'mail' && waiting && { waiting }),
  }))
}
