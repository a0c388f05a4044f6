/** Decides which alarms there are, from figures that were read before. */
import type { Alarm, AlarmState } from '#contract/installation/alarms'
import type { Health } from '#contract/installation/health'
import { DATABASE } from '#contract/limits'
import type { vitals } from '../../db/schema.ts'
import { ALARM_WAITING_SECONDS } from '../health/queries.ts'

const DAY_SECONDS = 86_400

/** How long a state lasts before it is told. One mail may be refused by chance, and hosts fetch a new runner only when idle. */
const PATIENCE_SECONDS: Partial<Record<AlarmState, number>> = {
  mails_failing: 300,
  old_host: DAY_SECONDS,
}

/** The facts that decide on alarms. Times are epoch seconds. */
export interface AlarmFacts {
  health: Pick<Health, 'oldestSeconds' | 'storage'>
  /** The living judge hosts. */
  hosts: readonly { state: 'active' | 'draining'; version: string }[]
  notes: ReadonlyMap<(typeof vitals.$inferSelect)['name'], number>
  databaseBytes: number
  /** When the first account was made. */
  beganAt: number
  /** The server's version. */
  version: string
  /** Days without a backup after which there is an alarm; 0: never. */
  backupDays: number
}

/** A state that lasts, and when it may be told. */
export interface LastingAlarm extends Alarm {
  tellAt: number
}

/** Whether a version such as `0.2.0` comes before another. A text that is no such version never comes before another. */
export function isOlder(version: string, than: string): boolean {
  const [own, other] = [version, than].map((text) => text.split('.').map(Number))
  const differing = own?.findIndex((part, index) => part !== other?.[index]) ?? -1
  return (own?.[differing] ?? 0) < (other?.[differing] ?? 0)
}

/** A state with the time from which it may be told. */
export function lasting(state: AlarmState, since: number, now: number): LastingAlarm {
  return { state, since, tellAt: now + (PATIENCE_SECONDS[state] ?? 0) }
}

/** The states that last, except `sweep_late`: the sweeper calls this function, so the sweeper is not late. */
export function alarmsOf(facts: AlarmFacts, now: number): LastingAlarm[] {
  const { health, hosts, notes, databaseBytes, beganAt, version, backupDays } = facts
  const share = databaseBytes / DATABASE.mostBytes
  const givenUpAt = notes.get('operation_given_up_at') ?? -Infinity
  const backupDue = (notes.get('backed_up_at') ?? beganAt) + backupDays * DAY_SECONDS
  const isIdle = !hosts.some(({ state }) => state === 'active')
  const found: [AlarmState, since: number | false][] = [
    [
      'nobody_judges',
      isIdle && health.oldestSeconds > ALARM_WAITING_SECONDS && now - health.oldestSeconds,
    ],
    ['storage_held', !['ok', 'unchecked'].includes(health.storage) && now],
    ['database_filling', share >= DATABASE.warnShare && now],
    ['database_nearly_full', share >= DATABASE.alarmShare && now],
    ['mails_failing', notes.get('mail_failing_at') ?? false],
    ['operation_given_up', givenUpAt > now - DAY_SECONDS && givenUpAt],
    ['no_backup', backupDays > 0 && backupDue <= now && backupDue],
    ['old_host', hosts.some((host) => isOlder(host.version, version)) && now],
  ]
  return found.flatMap(([state, since]) => (since === false ? [] : [lasting(state, since, now)]))
}
