/** The installation's mailer, and sending after the answer. */
import type { Context } from 'hono'
import { openDb } from '../db/client.ts'
import { loggedMails } from '../db/schema.ts'
import type { AppEnv, Env } from '../env.ts'
import { nowSeconds } from '../lib/clock.ts'
import {
  cloudflareMailer,
  deliverMail,
  httpMailer,
  noMailer,
  type Mail,
  type Mailer,
} from '../lib/mail.ts'

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

/** The mailer that the environment asks for. */
export function mailerOf(env: Env): Mailer {
  const { MAIL_DRIVER, MAIL_FROM: from, MAIL, MAIL_API_URL: url, MAIL_API_KEY: key } = env
  switch (MAIL_DRIVER) {
    case 'log':
      return logMailer(env)
    case 'cloudflare':
      return MAIL && from ? cloudflareMailer(MAIL, from) : noMailer('MAIL and MAIL_FROM are needed')
    case 'http':
      return url && key && from
        ? httpMailer({ url, key, from })
        : noMailer('MAIL_API_URL, MAIL_API_KEY and MAIL_FROM are needed')
    default:
      return noMailer('MAIL_DRIVER is not set')
  }
}

/** Sends a mail after the answer, so that neither its time nor its failure shows. */
export function sendLater<E extends AppEnv>(c: Context<E>, mail: Mail): void {
  c.executionCtx.waitUntil(deliverMail(mailerOf(c.env), mail))
}

/**
 * The address of the web app, for links in mails. It comes from a setting, never from the request: else
 * whoever asks for somebody's mail could choose where its link leads.
 * @throws Error, a fault of the installation, when `WEB_ORIGIN` is missing or no origin
 */
export function webOrigin(env: Env): string {
  const { WEB_ORIGIN: origin = '' } = env
  if (/^https?:$/.test(URL.parse(origin)?.protocol ?? '') && new URL(origin).origin === origin)
    return origin
  throw new Error('Set WEB_ORIGIN to the origin of the web app, like https://judge.example.org')
}
