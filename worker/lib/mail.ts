/** The mailer interface and its drivers; a setting chooses the driver. */

/** One plain-text mail. */
export interface Mail {
  to: string
  subject: string
  text: string
  /** Further headers, such as `List-Unsubscribe`. */
  headers?: Readonly<Record<string, string>>
  /** Says that a mail is the same as one before, so that a service that knows such keys sends it once. */
  idempotencyKey?: string
}

/** Sends a mail or throws. */
export interface Mailer {
  send(mail: Mail): Promise<void>
}

/** The mail service takes no mails for `waitSeconds`. */
export class MailLimited extends Error {
  override name = 'MailLimited'
  readonly waitSeconds: number

  constructor(waitSeconds: number) {
    super(`The mail service takes no mails for ${waitSeconds} s.`)
    this.waitSeconds = waitSeconds
  }
}

/** The wait where a service does not say how long. Seconds. */
const UNTOLD_SECONDS = 600
/** The longest wait, even if a service asks for more, because mail limits are per day. Seconds. */
const MOST_SECONDS = 86_400
/** How long to wait after an error of Cloudflare's binding, by error code: the error does not tell the wait. Seconds. */
const CLOUDFLARE_WAITS: ReadonlyMap<string, number> = new Map([
  ['E_RATE_LIMIT_EXCEEDED', 60],
  ['E_DAILY_LIMIT_EXCEEDED', 3_600],
])

/** The wait that `Retry-After` tells, as seconds or as a date (RFC 9110 §10.2.3). */
function waitSecondsOf(headers: Headers): number {
  const told = headers.get('Retry-After') ?? ''
  const seconds = /^\d+$/.test(told) ? Number(told) : (Date.parse(told) - Date.now()) / 1_000
  return Number.isNaN(seconds)
    ? UNTOLD_SECONDS
    : Math.min(Math.max(1, Math.ceil(seconds)), MOST_SECONDS)
}

/** Sends by Cloudflare's binding `[[send_email]]`, which knows no idempotency keys. */
export function cloudflareMailer(binding: SendEmail, from: string): Mailer {
  return {
    async send({ to, subject, text, headers }) {
      const mail = { from, to, subject, text, ...(headers && { headers: { ...headers } }) }
      await binding.send(mail).catch((error: unknown) => {
        const waitSeconds = CLOUDFLARE_WAITS.get(String(Object(error).code))
        throw waitSeconds === undefined ? error : new MailLimited(waitSeconds)
      })
    },
  }
}

/**
 * Sends by a mail API that takes `{from, to, subject, text, headers}` as JSON and `Idempotency-Key`, as Resend and others do.
 * @param request stands in for `fetch` in tests
 */
export function httpMailer(
  options: { url: string; key: string; from: string },
  request: typeof fetch = (input, init) => fetch(input, init),
): Mailer {
  return {
    async send({ idempotencyKey, ...mail }) {
      const response = await request(options.url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Authorization: `Bearer ${options.key}`,
          ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
        },
        body: JSON.stringify({ from: options.from, ...mail }),
        signal: AbortSignal.timeout(8_000),
      })
      const isRepeat = response.status === 409 && idempotencyKey !== undefined
      const fault = isRepeat ? await response.text() : await response.body?.cancel()
      // The service has taken the mail with this key, unless that one is still under way.
      if (isRepeat && !fault?.includes('concurrent')) return
      if (response.status === 429) throw new MailLimited(waitSecondsOf(response.headers))
      if (!response.ok) throw new Error(`The mail API answered ${response.status}`)
    },
  }
}

const ATTEMPTS = 3
/** The longest pause between two attempts. Seconds. */
const SHORT_WAIT_SECONDS = 5

/**
 * Sends a mail in the background: tries three times, then logs the failure. If the service asks for a short wait, the mailer waits
 * that long; a long wait ends the attempts. Never throws, and never logs the recipient or the text, which may hold a link.
 * @returns `MailLimited` where the service asked for a wait at the last attempt
 */
export async function deliverMail(
  mailer: Mailer,
  mail: Mail,
  pause: (ms: number) => Promise<unknown> = (ms) => scheduler.wait(ms),
): Promise<'sent' | 'failed' | MailLimited> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    try {
      await mailer.send(mail)
      return 'sent'
    } catch (error) {
      console.error(JSON.stringify({ mail: mail.subject, attempt, error: mailFault(error) }))
      const limited = error instanceof MailLimited ? error : null
      const isLast = attempt === ATTEMPTS
      if (limited && (isLast || limited.waitSeconds > SHORT_WAIT_SECONDS)) return limited
      if (!isLast) await pause((limited?.waitSeconds ?? attempt) * 1_000)
    }
  }
  return 'failed'
}

/** What an error says, without addresses. */
export function mailFault(error: unknown): string {
  return String(error)
    .split(/(\s+)/)
    .map((word) => (word.includes('@') ? '…' : word))
    .join('')
}
