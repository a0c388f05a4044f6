/** The mailer interface and its drivers; a setting chooses the driver. */

/** One plain-text mail. */
export interface Mail {
  to: string
  subject: string
  text: string
}

/** Sends a mail or throws. */
export interface Mailer {
  send(mail: Mail): Promise<void>
}

/** Sends by Cloudflare's binding `[[send_email]]`. */
export function cloudflareMailer(binding: SendEmail, from: string): Mailer {
  return {
    async send(mail) {
      await binding.send({ from, ...mail })
    },
  }
}

/**
 * Sends by a mail API that takes `{from, to, subject, text}` as JSON, as Resend and others do.
 * @param request stands in for `fetch` in tests
 */
export function httpMailer(
  options: { url: string; key: string; from: string },
  request: typeof fetch = (input, init) => fetch(input, init),
): Mailer {
  return {
    async send(mail) {
      const response = await request(options.url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${options.key}` },
        body: JSON.stringify({ from: options.from, ...mail }),
        signal: AbortSignal.timeout(8_000),
      })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`The mail API answered ${response.status}`)
    },
  }
}

const ATTEMPTS = 3

/**
 * Sends a mail in the background: tries three times, then logs the failure. Never throws, and never logs
 * the recipient or the text, which may hold a link.
 * @returns whether it was sent
 */
export async function deliverMail(
  mailer: Mailer,
  mail: Mail,
  pause: (ms: number) => Promise<unknown> = (ms) => scheduler.wait(ms),
): Promise<boolean> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    try {
      await mailer.send(mail)
      return true
    } catch (error) {
      console.error(JSON.stringify({ mail: mail.subject, attempt, error: mailFault(error) }))
      if (attempt < ATTEMPTS) await pause(attempt * 1_000)
    }
  }
  return false
}

/** What an error says, without addresses. */
export function mailFault(error: unknown): string {
  return String(error)
    .split(/(\s+)/)
    .map((word) => (word.includes('@') ? '…' : word))
    .join('')
}
