/** What is told of each state: what happened, what to do, and the page for it. */
import type { AlarmState } from '#contract/installation/alarms'
import { DATABASE } from '#contract/limits'

interface AlarmText {
  /** A sentence without its end. */
  title: string
  act: string
  path: '/admin/dashboard' | '/admin/setup'
}

const dashboard = { path: '/admin/dashboard' } as const
const setup = { path: '/admin/setup' } as const

export const ALARM_TEXTS: Readonly<Record<AlarmState, AlarmText>> = {
  nobody_judges: {
    title: 'Submissions wait, and no judge host takes them',
    act: 'Start a judge host, activate one that drains, or look at its log. Nothing is lost meanwhile.',
    ...dashboard,
  },
  storage_held: {
    title: 'Nothing is deleted from the storage',
    act: 'An admin has to look at the reason and confirm. Nothing is lost meanwhile.',
    ...dashboard,
  },
  database_filling: {
    title: `The database is ${100 * DATABASE.warnShare} % full`,
    act: 'Delete old courses: their space is used again some five weeks later. Or begin the next term with a new installation.',
    ...dashboard,
  },
  database_nearly_full: {
    title: `The database is ${100 * DATABASE.alarmShare} % full`,
    act: 'Nothing can be handed in once it is full. Delete old courses now, or begin a new installation.',
    ...dashboard,
  },
  mails_failing: {
    title: 'Mails are refused',
    act: 'Look at the MAIL_… settings and at the sender’s domain, then send a test mail. Hand out links yourself meanwhile.',
    ...setup,
  },
  operation_given_up: {
    title: 'A rejudge, sign-up or copy search was given up',
    act: 'Its page says so; the log of the Worker has the reason. Start it again. This alarm ends after a day.',
    ...dashboard,
  },
  no_backup: {
    title: 'The last backup is too old',
    act: 'Run “npm run backup”, and look why the nightly one did not come to its end. BACKUP_DAYS says how old it may be.',
    ...dashboard,
  },
  old_host: {
    title: 'A judge host runs an older version than the server',
    act: 'The list of hosts has the versions. Restart the host, or bring its checkout or image up to date.',
    ...dashboard,
  },
  sweep_late: {
    title: 'The minute task does not run',
    act: 'Look at the cron triggers of the Worker on Cloudflare’s dashboard. Work that got lost is not found again meanwhile.',
    ...setup,
  },
}
