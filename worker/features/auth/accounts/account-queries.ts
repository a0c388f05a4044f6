/** The caller's own account: sessions, password, mailed links; and which names are free. */
import { and, asc, desc, eq, isNotNull, isNull, sql, type SQL } from 'drizzle-orm'
import type { SessionItem } from '#contract/people/auth'
import { insertLink, isLinkAlive, type LinkPurpose } from '../../../db/account-links.ts'
import { insertAudit } from '../../../db/audit.ts'
import type { Db } from '../../../db/client.ts'
import { demand } from '../../../db/demand.ts'
import { aboutPerson } from '../../../db/people.ts'
import {
  selectUsedUp,
  takeToken,
  takeTokens,
  type Bucket,
  type RateAnswer,
} from '../../../db/rate-limits.ts'
import {
  accountLinks,
  joinCodes,
  joinRequests,
  memberships,
  rateLimits,
  sessions,
  users,
} from '../../../db/schema.ts'
import { endAccess, isSessionAlive } from '../../../db/sessions.ts'
import type { Change } from '../../../http/change.ts'
import { networkOf, siteOf } from '../../../http/client.ts'
import { asConflict } from '../../../http/conflict.ts'
import { sha256Hex } from '../../../lib/ids.ts'
import { ACCOUNT_LIMITS } from '../auth-limits.ts'

/** The most accounts named in one recovery mail, when several claim an unconfirmed address. */
export const CLAIMS_PER_MAIL = 10

/** Where an anonymous call comes from. `now` in epoch seconds. */
export interface Visit {
  ip: string
  now: number
}

/** Digits of a session's hash in its public id: enough to tell sessions apart, too few to sign in with. */
const SESSION_ID_DIGITS = 24

/** The live sessions of a person, newest first. */
export async function listSessions(
  db: Db,
  userId: number,
  ownHash: string | null,
  now: number,
): Promise<SessionItem[]> {
  const rows = await db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isSessionAlive(now)))
    .orderBy(desc(sessions.createdAt))
  return rows.map((row) => ({
    id: row.tokenHash.slice(0, SESSION_ID_DIGITS),
    createTime: row.createdAt,
    lastSeen: row.lastSeenAt,
    ipAddr: row.ip,
    agent: row.agent,
    current: row.tokenHash === ownHash,
  }))
}

/** Ends one of a person's own sessions. @returns the hash of its token; undefined when no session has that id */
export async function deleteOwnSession(
  db: Db,
  id: string,
  change: Change,
): Promise<string | undefined> {
  const { actor } = change
  const mine = sql`${sessions.userId} = ${actor.id} and substr(${sessions.tokenHash}, 1, ${SESSION_ID_DIGITS}) = ${id}`
  const [, gone] = await db.batch([
    insertAudit(db, change, {
      action: 'session.end',
      subject: String(actor.id),
      when: sql`exists (select 1 from ${sessions} where ${mine})`,
    }),
    db.delete(sessions).where(mine).returning({ tokenHash: sessions.tokenHash }),
  ])
  return gone[0]?.tokenHash
}

/** A person's password hash, what others know of them, and whether they may try the password now. */
export async function findOwnPassword(db: Db, userId: number, nowMs: number) {
  const [rate, rows] = await db.batch([
    takeToken(db, `password:user:${userId}`, ACCOUNT_LIMITS.changePasswordPerUser, nowMs),
    db
      .select({ passwordHash: users.passwordHash, about: aboutPerson(userId).as('about') })
      .from(users)
      .where(eq(users.id, userId)),
  ])
  return { rate, passwordHash: rows[0]?.passwordHash ?? null, about: rows[0]?.about ?? [] }
}

/** Stores a new password and signs its owner out everywhere. */
export async function updateOwnPassword(
  db: Db,
  passwordHash: string,
  change: Change,
): Promise<void> {
  const { actor } = change
  await db.batch([
    db.update(users).set({ passwordHash }).where(eq(users.id, actor.id)),
    ...endAccess(db, actor.id),
    insertAudit(db, change, { action: 'user.password_change', subject: String(actor.id) }),
  ])
}

/** The statement for the account that has confirmed an e-mail address. */
export function selectConfirmed(db: Db, email: string) {
  return db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email), isNotNull(users.emailConfirmedAt)))
}

/** The statement for the domains of the codes by which a person joins courses. @param userId null: nobody */
export function selectDomains(db: Db, userId: number | null) {
  const ids = sql`select ${memberships.joinCodeId} from ${memberships} where ${memberships.userId} = ${userId}
    union select ${joinRequests.joinCodeId} from ${joinRequests} where ${joinRequests.userId} = ${userId}`
  return db
    .select({ domains: joinCodes.domains })
    .from(joinCodes)
    .where(sql`${joinCodes.id} in (${ids})`)
}

/** The limits of an IP address: its own and, for IPv6, its site's. */
export function addressBuckets(
  what: 'check' | 'recovery' | 'join',
  ip: string,
): [Bucket, ...Bucket[]] {
  const [network, site] = [networkOf(ip), siteOf(ip)]
  const own = { key: `${what}:address:${network}`, rule: ACCOUNT_LIMITS[`${what}PerAddress`] }
  if (site === network) return [own]
  return [own, { key: `${what}:site:${site}`, rule: ACCOUNT_LIMITS[`${what}PerSite`] }]
}

/** Whether a username is taken or an e-mail confirmed, and whether this IP address may ask now. */
export async function checkAvailability(
  db: Db,
  what: { usernameKey: string } | { email: string },
  ip: string,
  nowMs: number,
) {
  const taken =
    'email' in what
      ? selectConfirmed(db, what.email)
      : db.select({ id: users.id }).from(users).where(eq(users.usernameKey, what.usernameKey))
  const [rows, ...rates] = await db.batch([
    taken,
    ...takeTokens(db, addressBuckets('check', ip), nowMs).statements,
  ])
  return { rates, isTaken: rows.length > 0 }
}

/**
 * The accounts that an e-mail address recovers, and whether a recovery mail was sent lately. If nobody has confirmed the address,
 * these are the accounts that claim it. The oldest come first, so that a later claim displaces no earlier one.
 */
export async function findRecovery(db: Db, email: string) {
  const key = await mailKey(email)
  const isOwned = sql`exists (select 1 from ${users} where ${users.email} = ${email} and ${users.emailConfirmedAt} is not null)`
  const accounts = db
    .select({
      id: users.id,
      username: users.username,
      active: users.active,
      passwordHash: users.passwordHash,
      emailConfirmedAt: users.emailConfirmedAt,
    })
    .from(users)
    .where(
      and(
        eq(users.email, email),
        isNull(users.disabledAt),
        sql`(${users.emailConfirmedAt} is not null or not ${isOwned})`,
      ),
    )
    .orderBy(asc(users.id))
    .limit(CLAIMS_PER_MAIL)
  const [found, mails] = await db.batch([accounts, selectUsedUp(db, key, Date.now())])
  return { found, isMailed: mails.length > 0 }
}

/** The key of the limit on recovery mails to an address, made from its hash. */
async function mailKey(email: string): Promise<string> {
  return `recovery:mail:${(await sha256Hex(email)).slice(0, 32)}`
}

/** A link to mail. `newEmail`: the address it goes to, if not the account's. */
interface MailedLink {
  userId: number
  purpose: LinkPurpose
  tokenHash: string
  newEmail?: string
}

/**
 * The statements that store a link, for a batch.
 * @param actorId who asked for it; null: a person who was not signed in
 * @param when the condition on which the link is stored
 */
export function storeLink(
  db: Db,
  link: MailedLink,
  actorId: number | null,
  { ip, now }: Visit,
  when?: SQL,
) {
  return [
    insertLink(db, { ...link, now }, when),
    insertAudit(
      db,
      { actor: { id: actorId }, ip, now },
      {
        action: actorId === null ? 'user.password_recovery' : 'user.email_ask',
        subject: String(link.userId),
        detail: { purpose: link.purpose },
        when,
      },
    ),
  ] as const
}

/**
 * Stores the links of a recovery mail, unless such a mail was sent lately.
 * @param links empty for an unknown e-mail: then only the limits of the caller's IP address count
 * @param isKnown whether an account knows the browser: then the limits of its IP address do not apply
 * @returns the answers of the limits, and whether there is something to mail
 */
export async function storeRecovery(
  db: Db,
  email: string,
  links: MailedLink[],
  isKnown: boolean,
  visit: Visit,
): Promise<{ rates: RateAnswer[][]; isStored: boolean }> {
  const mail = { key: await mailKey(email), rule: ACCOUNT_LIMITS.recoveryMail }
  const address = isKnown ? [] : addressBuckets('recovery', visit.ip)
  const [first = mail, ...others] = [...address, ...(links.length > 0 ? [mail] : [])]
  const limits = takeTokens(db, [first, ...others], Date.now())
  const answers = await db.batch([
    ...limits.statements,
    ...links.flatMap((link) => storeLink(db, link, null, visit, limits.areAllowed)),
  ])
  const rates = answers.slice(0, limits.statements.length) as RateAnswer[][]
  const [answer] = rates[address.length] ?? []
  return { rates: rates.slice(0, address.length), isStored: answer?.allowed === 1 }
}

/** What the audit log calls the use of a link. */
const USED_LINK: Record<LinkPurpose, string> = {
  activate: 'user.activate',
  reset: 'user.password_reset',
  confirm: 'user.email_confirm',
  move: 'user.email_move',
}

/**
 * What following a link changes. `passwordHash` null keeps the password; `newEmail` null keeps the present
 * address, `email`.
 */
interface LinkUse {
  userId: number
  email: string
  purpose: LinkPurpose
  tokenHash: string
  passwordHash: string | null
  newEmail: string | null
}

/**
 * Applies a link and uses it up, in one transaction. Only a reader of the address's mails can use it, so it also confirms the
 * address.
 * @throws Refusal `bad_link` when another call has used the link, `email_exists` when another account has confirmed the address
 */
export async function useLink(db: Db, link: LinkUse, { ip, now }: Visit): Promise<void> {
  const { userId, email, purpose, tokenHash, passwordHash, newEmail } = link
  const mailedKey = await mailKey(email)
  // Who stays signed in has proved to own the account: both links count only there without a new password.
  const ended =
    passwordHash === null && (purpose === 'move' || purpose === 'confirm')
      ? [db.delete(accountLinks).where(eq(accountLinks.userId, userId))]
      : endAccess(db, userId)
  try {
    await db.batch([
      demand(db, 'bad_link', isLinkAlive(tokenHash)),
      db
        .update(users)
        .set({
          ...(passwordHash !== null && { passwordHash }),
          // The course that made the account does not know the new address.
          ...(newEmail !== null && { email: newEmail, madeInCourseId: null }),
          ...(purpose === 'activate' && { active: true }),
          emailConfirmedAt: sql`coalesce(${users.emailConfirmedAt}, ${now})`,
        })
        .where(eq(users.id, userId)),
      insertAudit(
        db,
        { actor: { id: userId }, ip, now },
        { action: USED_LINK[purpose], subject: String(userId) },
      ),
      // No mailed link of this account works any more, so the next mail may be sent at once.
      db.delete(rateLimits).where(eq(rateLimits.key, mailedKey)),
      ...ended,
    ])
  } catch (error) {
    throw asConflict(error)
  }
}
