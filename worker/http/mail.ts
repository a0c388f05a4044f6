/** The installation's mailer, and how a call sends mail after its answer. */
import type { Context } from 'hono'
import { SETTINGS, settingFaults, type SettingFault } from '#contract/installation/settings'
import { openDb, type Db } from '../db/client.ts'
import { loggedMails } from '../db/schema.ts'
import { mailsOfDay, noteMails } from '../db/vitals.ts'
import type { AppEnv, Env } from '../env.ts'
import { nowSeconds } from '../lib/clock.ts'
import { inBackground } from './background.ts'
import { notConfigured } from './errors.ts'
import { cloudflareMailer, deliverMail, httpMailer, type Mail, type Mailer } from '../lib/mail.ts'

/** The driver `log`: stores a row instead of sending a mail. */
function logMailer(env: Env): Mailer {
  return {
    async send(mail) {
      await openDb(env.DB).insert(loggedMails).values({
        recipient: mail.to,
        subject: mail.subject,
        text: mail.text,
        createdAt: nowSeconds(),
      })
    },
  }
}

const MAIL_SETTINGS = [
  'MAIL_DRIVER',
  'MAIL_FROM',
  'MAIL_API_URL',
  'MAIL_API_KEY',
  'MAIL_DAILY_LIMIT',
] as const

/** The settings that are missing or wrong before mail can be sent. */
export function mailFaults(env: Env): SettingFault[] {
  const { MAIL_DRIVER: driver, MAIL: binding } = env
  const faults = settingFaults(env, MAIL_SETTINGS, ['MAIL_DRIVER'])
  const lacksBinding = faults.length === 0 && driver === 'cloudflare' && binding === undefined
  // `npm run deploy` adds the binding with the driver.
  return lacksBinding
    ? [{ name: 'MAIL_DRIVER', fault: 'wrong', fix: SETTINGS.MAIL_DRIVER.fix }]
    : faults
}

/** How many mails of a batch may go out today by `MAIL_DAILY_LIMIT`. @param now epoch seconds */
export async function mailsLeftToday(env: Env, db: Db, now: number): Promise<number> {
  const { MAIL_DAILY_LIMIT: most } = env
  return most === undefined ? Infinity : Math.max(0, Number(most) - (await mailsOfDay(db, now)))
}

/**
 * The mailer that the settings ask for.
 * @throws AppError `not_configured`
 */
export function mailerOf(env: Env): Mailer {
  const faults = mailFaults(env)
  if (faults.length > 0) throw notConfigured(faults)
  const { MAIL_FROM: from = '', MAIL, MAIL_API_URL: url = '', MAIL_API_KEY: key = '' } = env
  if (env.MAIL_DRIVER === 'http') return httpMailer({ url, key, from })
  return MAIL && env.MAIL_DRIVER === 'cloudflare' ? cloudflareMailer(MAIL, from) : logMailer(env)
}

/**
 * Sends a mail after the answer, so that the answer shows neither its time nor its failure. Calls that promise a mail check the
 * settings before.
 */
export function sendLater<E extends AppEnv>(c: Context<E>, mail: Mail): void {
  const lacks = mailFaults(c.env).map(({ name }) => name)
  if (lacks.length > 0) return console.error(JSON.stringify({ mail: mail.subject, lacks }))
  const { db } = c.var
  const deliver = async () => {
    const isTaken = (await deliverMail(mailerOf(c.env), mail)) === 'sent'
    await noteMails(db, isTaken ? { taken: 1 } : { givenUp: 1 }, nowSeconds())
  }
  inBackground(c, mail.subject, deliver())
}

/** What is missing or wrong before a mail with a link can be sent. */
export function linkMailFaults(env: Env): SettingFault[] {
  return [...settingFaults(env, ['WEB_ORIGIN'], ['WEB_ORIGIN']), ...mailFaults(env)]
}

/**
 * The address of the web app, for links in mails. It comes from a setting, never from the request: else a stranger who asks for
 * somebody's mail could choose where its link leads.
 * @throws AppError `not_configured` unless a mail with a link can be sent
 */
export function originForLinks(env: Env): string {
  const faults = linkMailFaults(env)
  if (env.WEB_ORIGIN === undefined || faults.length > 0) throw notConfigured(faults)
  return env.WEB_ORIGIN
}
