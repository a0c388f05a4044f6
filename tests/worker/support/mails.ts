/** The mails that the mail driver `log` got. */
import { allRows } from './sql.ts'

/** Waits for mail number `count` to an address and answers it: mails go out after the answer. */
export async function lastMailTo(recipient: string, count = 1): Promise<string> {
  for (let tries = 0; tries < 200; tries += 1) {
    const results = await allRows<{ text: string }>`
      select text from logged_mails where recipient = ${recipient} order by id`
    if (results.length >= count) return results.at(-1)?.text ?? ''
  }
  throw new Error(`no mail to ${recipient}`)
}

/** The token in the link of a mail. */
export function tokenIn(text: string, purpose: 'token' | 'activate' | 'confirm' | 'move'): string {
  const found = new RegExp(`https://judge\\.test/password_reset#${purpose}=([\\w-]{43})\\b`).exec(
    text,
  )
  if (!found?.[1]) throw new Error(`no link in: ${text}`)
  return found[1]
}
