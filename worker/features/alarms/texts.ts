/** The texts of each alarm: what happened, what to do, and the page for it. */
import type { AlarmState } from '#contract/installation/alarms'
import { DATABASE } from '#contract/limits'

interface AlarmText {
  /** A sentence without its full stop. */
  title: string
  act: string
  path: '/admin/dashboard' | '/admin/setup'
}

const dashboard = { path: '/admin/dashboard' } as const
const setup = { path: '/admin/setup' } as const

export const ALARM_TEXTS: Readonly<Record<AlarmState, AlarmText>> = {
  nobody_judges: {
    title: 'Submissions are waiting, but no judge host takes them',
    act: 'Start a judge host, activate a draining one, or check its log. Waiting submissions are kept.',
    ...dashboard,
  },
  storage_held: {
    title: 'Deletion from the storage is paused',
    act: 'An admin has to check the reason and confirm. Until then, all files are kept.',
    ...dashboard,
  },
  database_filling: {
    title: `The database is ${100 * DATABASE.warnShare} % full`,
    act: 'Delete old courses: their space is free again after about five weeks. Or start the next term with a new installation.',
    ...dashboard,
  },
  database_nearly_full: {
    title: `The database is ${100 * DATABASE.alarmShare} % full`,
    act: 'A full database accepts no submissions. Delete old courses now, or start a new installation.',
    ...dashboard,
  },
  mails_failing: {
    title: 'Mails are refused',
    act: 'Check the MAIL_… settings and the sender’s domain, then send a test mail. Until then, pass on links yourself.',
    ...setup,
  },
  operation_given_up: {
    title: 'A rejudge, sign-up or copy detection failed repeatedly',
    act: 'The page of the operation shows the failure; the Worker’s log has the reason. Start the operation again. This alarm ends after a day.',
    ...dashboard,
  },
  no_backup: {
    title: 'The last backup is too old',
    act: 'Run “npm run backup”, and find out why the nightly backup failed. BACKUP_DAYS sets the maximum age.',
    ...dashboard,
  },
  old_host: {
    title: 'A judge host runs an older version than the server',
    act: 'The host list shows the versions. Restart the host, or update its checkout or image.',
    ...dashboard,
  },
  sweep_late: {
    title: 'The minute task does not run',
    act: 'Check the Worker’s cron triggers on Cloudflare’s dashboard. Until the task runs, lost work is not recovered.',
    ...setup,
  },
}
