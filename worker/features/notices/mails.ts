/**
 * Mails people what is new for them: the sweeper takes people, mails one after the other, and ends each with one batch. If it dies half
 * way, the marks are due again when its lease is over. The mail that went out last then goes out again with the same key, and a service
 * that knows such keys does not send it twice.
 */
import type { Db } from '../../db/client.ts'
import { noteTime } from '../../db/vitals.ts'
import type { Env } from '../../env.ts'
import { linkMailFaults, mailerOf, mailsLeftToday, originForLinks } from '../../http/mail.ts'
import { sha256Hex } from '../../lib/ids.ts'
import { deliverMail, MailLimited, type Mail, type Mailer } from '../../lib/mail.ts'
import { noticeLetter } from './mail-letter.ts'
import {
  deleteOldMarks,
  giveBack,
  isMailDue,
  readNews,
  settle,
  takeDue,
  type Recipient,
} from './mail-queries.ts'
import type { ReadableNotice } from './queries.ts'

/** The most people taken at once. */
const MOST_AT_ONCE = 50
/** How long after its first mail a sweep may still begin a mail. */
const MAILS_MS = 10_000
const DAY_SECONDS = 86_400
/** News that are older than this are given up with the next mail that is refused. Seconds. */
const REFUSED_SECONDS = 2 * DAY_SECONDS
/** The share of the day's mails that is left to links that people ask for. */
const LINK_SHARE = 0.2

/** Everything that is new for a person, and the last notice of all when it was read. */
interface Parcel {
  recipient: Recipient
  news: readonly ReadableNotice[]
  lastId: number
}

/** The person's mail. The key says what is new since which mail, so that the same news after another mail are another mail. */
async function letterOf(env: Env, { recipient, news }: Parcel): Promise<Mail> {
  const mail = noticeLetter(originForLinks(env), recipient, news)
  const key = JSON.stringify([mail, recipient.mailedId, news.map(({ id }) => id)])
  return { ...mail, idempotencyKey: await sha256Hex(key) }
}

/** Mails a person and ends with one batch; a refused mail is tried again when the lease is over. @returns the wait that the service asks for */
async function mailOne(
  env: Env,
  db: Db,
  { mailer, parcel }: { mailer: Mailer; parcel: Parcel },
  now: number,
): Promise<MailLimited | null> {
  const { recipient, news, lastId } = parcel
  const delivery = await deliverMail(mailer, await letterOf(env, parcel))
  if (delivery instanceof MailLimited) return delivery
  const isSent = delivery === 'sent'
  if (isSent || news.some(({ createTime }) => createTime < now - REFUSED_SECONDS)) {
    const outcome = isSent ? { taken: 1 } : { givenUp: 1 }
    await settle(db, [recipient.userId], { lastId, outcome }, now)
  }
  return null
}

/** Mails the parcels in order until time is up or the service takes no more. @returns the people who were not reached */
async function mailAll(
  env: Env,
  db: Db,
  { mailer, parcels }: { mailer: Mailer; parcels: readonly Parcel[] },
  now: number,
): Promise<number[]> {
  const start = Date.now()
  for (const [index, parcel] of parcels.entries()) {
    const rest = parcels.slice(index).map(({ recipient }) => recipient.userId)
    if (Date.now() - start > MAILS_MS) return rest
    const limited = await mailOne(env, db, { mailer, parcel }, now)
    if (limited) {
      await noteTime(db, 'mails_resume_at', now + limited.waitSeconds)
      return rest
    }
  }
  return []
}

/** How many mails with notices may go out today. */
async function noticesLeftToday(env: Env, db: Db, now: number): Promise<number> {
  const { MAIL_DAILY_LIMIT: most } = env
  const share = most === undefined ? 0 : Math.ceil(Number(most) * LINK_SHARE)
  return Math.max(0, (await mailsLeftToday(env, db, now)) - share)
}

/**
 * Mails the next people who are to get a mail with what is new.
 * @param now epoch seconds
 * @param mailer stands in for the configured one in tests
 */
export async function mailNotices(
  env: Env,
  db: Db,
  now: number,
  mailer: () => Mailer = () => mailerOf(env),
): Promise<void> {
  if (linkMailFaults(env).length > 0) return deleteOldMarks(db, now)
  if (!(await isMailDue(db, now))) return
  const left = await noticesLeftToday(env, db, now)
  if (left === 0) return noteTime(db, 'notices_resume_at', now - (now % DAY_SECONDS) + DAY_SECONDS)
  const taken = await takeDue(db, now, Math.min(left, MOST_AT_ONCE))
  const { recipients, newsOf, lastId } = await readNews(db, taken, now)
  const parcels = recipients.flatMap((recipient) => {
    const news = newsOf.get(recipient.userId)
    return news ? [{ recipient, news, lastId }] : []
  })
  const mailed = new Set(parcels.map(({ recipient }) => recipient.userId))
  const others = taken.filter((id) => !mailed.has(id))
  if (others.length > 0) await settle(db, others, { lastId, outcome: {} }, now)
  const unreached = await mailAll(env, db, { mailer: mailer(), parcels }, now)
  if (unreached.length > 0) await giveBack(db, unreached, now)
}
