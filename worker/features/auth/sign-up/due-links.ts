/**
 * Mails first links: to accounts that a batch sign-up has made without a password, to activate them, and to accounts that people have made by
 * joining a course, to confirm their e-mail. The call that makes the accounts mails the first links; the sweeper mails the rest, also after a pause
 * that the mail service asks for.
 */
import type { Db } from '../../../db/client.ts'
import { noteMails, noteTime } from '../../../db/vitals.ts'
import type { Env } from '../../../env.ts'
import { linkMailFaults, mailerOf, mailsLeftToday, originForLinks } from '../../../http/mail.ts'
import { newSecret, sha256Hex } from '../../../lib/ids.ts'
import { activationLetter, welcomeLetter } from '../../../lib/mail-letters.ts'
import { deliverMail, MailLimited } from '../../../lib/mail.ts'
import { listDueLinks, settleDueLinks, storeDueLinks } from './due-link-queries.ts'

/** The most links taken at once. */
const MOST_AT_ONCE = 50
/** How long after its first mail a call may still begin a mail. */
const MAILS_MS = 10_000
const DAY_SECONDS = 86_400

/**
 * Mails the next due links, one after the other, because mail services limit parallel mails. If the call dies half way, some
 * people get a second mail; then only the newer link works.
 * @param usernames the accounts to mail; null: all
 * @returns the usernames whose mail the service did not take
 */
export async function mailDueLinks(
  env: Env,
  db: Db,
  now: number,
  usernames: string[] | null = null,
): Promise<string[]> {
  if (linkMailFaults(env).length > 0) return []
  const due = await listDueLinks(db, usernames, now, MOST_AT_ONCE)
  if (due.length === 0) return []
  const left = await mailsLeftToday(env, db, now)
  if (left === 0) {
    await noteTime(db, 'mails_resume_at', now - (now % DAY_SECONDS) + DAY_SECONDS)
    return []
  }
  const letters = await Promise.all(
    due.slice(0, left).map(async (account) => {
      const token = newSecret()
      return { ...account, token, tokenHash: await sha256Hex(token) }
    }),
  )
  // Some links may not be stored: another call may mail them, or the owner may have chosen a password.
  const stored = new Set(await storeDueLinks(db, letters, now))
  const start = Date.now()
  const [mailed, failed]: [string[], string[]] = [[], []]
  for (const { username, email, confirmBy, token, tokenHash } of letters) {
    if (!stored.has(tokenHash)) continue
    const letterOf = confirmBy === null ? activationLetter : welcomeLetter
    const letter = letterOf(originForLinks(env), email, username, token)
    const delivery = await deliverMail(mailerOf(env), letter)
    if (delivery instanceof MailLimited) {
      await noteTime(db, 'mails_resume_at', now + delivery.waitSeconds)
      break
    }
    if (delivery === 'failed') failed.push(username)
    else mailed.push(username)
    if (Date.now() - start > MAILS_MS) break
  }
  await settleDueLinks(db, [...stored], [...mailed, ...failed], now)
  await noteMails(db, { taken: mailed.length, givenUp: failed.length }, now)
  return failed
}
