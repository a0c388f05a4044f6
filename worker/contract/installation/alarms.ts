/** Alarms: states in which the operator of an installation has to act. */
import * as z from 'zod'
import { epochSeconds } from '#contract/fields'

/**
 * - `nobody_judges`: a submission waits, and no judge host takes jobs
 * - `storage_held`: the sweeper deletes nothing until an admin confirms something
 * - `database_filling`, `database_nearly_full`: the database is filled to `DATABASE.warnShare`, `DATABASE.alarmShare`
 * - `mails_failing`: mails were refused, and none has gone out since
 * - `operation_given_up`: in the last day, an operation failed again and again
 * - `no_backup`: nobody has made a backup for `BACKUP_DAYS` days
 * - `old_host`: a judge host reports an older version than the server's
 * - `sweep_late`: the sweeper has stopped running each minute
 */
export const alarmState = z.enum([
  'nobody_judges',
  'storage_held',
  'database_filling',
  'database_nearly_full',
  'mails_failing',
  'operation_given_up',
  'no_backup',
  'old_host',
  'sweep_late',
])
export type AlarmState = z.infer<typeof alarmState>

/** Answer of GET /alarms: the states that last, the oldest first. */
export const alarmList = z.array(z.object({ state: alarmState, since: epochSeconds }))
export type Alarm = z.infer<typeof alarmList>[number]

/**
 * The body that the webhook of alarms gets, once when a state begins and once when it is over. `text` says what happened and what
 * to do, `url` is the page where to do it. `test`: an admin asked for a test.
 */
export const alarmNotice = z.object({
  state: z.enum([...alarmState.options, 'test']),
  since: epochSeconds,
  isOver: z.boolean(),
  text: z.string(),
  url: z.string(),
})
export type AlarmNotice = z.infer<typeof alarmNotice>

/** The ways by which alarms are sent. */
const ALARM_CHANNELS = ['webhook', 'mail'] as const
export type AlarmChannel = (typeof ALARM_CHANNELS)[number]

/** Answer of POST /setup/alarms, one entry for each way that is configured. `fault`: why the notice was not taken. */
export const alarmTrial = z.array(
  z.object({ channel: z.enum(ALARM_CHANNELS), fault: z.string().nullable() }),
)
export type AlarmTrial = z.infer<typeof alarmTrial>
