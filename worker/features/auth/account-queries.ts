/** One's own account: sessions, password, mailed links, what is still free. */
import { and, desc, eq, gt, sql } from 'drizzle-orm'
import { RATE_LIMITS, SESSION_SECONDS } from '#contract/limits'
import type { SessionItem } from '#contract/auth'
import { insertLink, isLinkAlive, type LinkPurpose } from '../../db/account-links.ts'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { takeToken } from '../../db/rate-limits.ts'
import { sessions, users } from '../../db/schema.ts'
import { endAccess } from '../../db/sessions.ts'
import type { Change } from '../../http/change.ts'
import { sha256Hex } from '../../lib/ids.ts'

/** Where a call by nobody in particular comes from. `now` in epoch seconds. */
export interface Visit {
  ip: string
  network: string
  now: number
}

/** How many digits of a session's hash are its public id: enough to tell sessions apart, too few to sign in with. */
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
    .where(
      and(
        eq(sessions.userId, userId),
        gt(sessions.lastSeenAt, now - SESSION_SECONDS.idle),
        gt(sessions.createdAt, now - SESSION_SECONDS.absolute),
      ),
    )
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

/** Ends one of a person's own sessions; false when there is none of that id. */
export async function deleteOwnSession(
  db: Db,
  id: string,
  { actor, ip, now }: Change,
): Promise<boolean> {
  const mine = sql`user_id = ${actor.id} and substr(token_hash, 1, ${SESSION_ID_DIGITS}) = ${id}`
  const [, gone] = await db.batch([
    insertAudit(
      db,
      { actorId: actor.id, action: 'session.end', subject: String(actor.id), ip, now },
      sql`exists (select 1 from sessions where ${mine})`,
    ),
    db.delete(sessions).where(mine).returning({ userId: sessions.userId }),
  ])
  return gone.length > 0
}

/** The hash of a person's password, and whether they may try to change it now. */
export async function findOwnPassword(db: Db, userId: number, nowMs: number) {
  const [rate, rows] = await db.batch([
    takeToken(db, `password:user:${userId}`, RATE_LIMITS.changePasswordPerUser, nowMs),
    db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, userId)),
  ])
  return { rate, passwordHash: rows[0]?.passwordHash ?? null }
}

/** Stores a new password and signs its owner out everywhere. */
export async function updateOwnPassword(
  db: Db,
  passwordHash: string,
  { actor, ip, now }: Change,
): Promise<void> {
  await db.batch([
    db.update(users).set({ passwordHash }).where(eq(users.id, actor.id)),
    ...endAccess(db, actor.id),
    insertAudit(db, {
      actorId: actor.id,
      action: 'user.password_change',
      subject: String(actor.id),
      ip,
      now,
    }),
  ])
}

/** Whether a username or an e-mail is taken, and whether this address may ask now. */
export async function findTaken(
  db: Db,
  what: { usernameKey: string } | { email: string },
  network: string,
  nowMs: number,
) {
  const isIt =
    'email' in what ? eq(users.email, what.email) : eq(users.usernameKey, what.usernameKey)
  const [rate, rows] = await db.batch([
    takeToken(db, `check:address:${network}`, RATE_LIMITS.checkPerAddress, nowMs),
    db.select({ id: users.id }).from(users).where(isIt),
  ])
  return { rate, isTaken: rows.length > 0 }
}

/** The account of an e-mail, and whether it and this address may ask for a link now. */
export async function findRecovery(db: Db, email: string, network: string, nowMs: number) {
  const target = (await sha256Hex(email)).slice(0, 32)
  const [perTarget, perAddress, rows] = await db.batch([
    takeToken(db, `recovery:target:${target}`, RATE_LIMITS.recoveryPerTarget, nowMs),
    takeToken(db, `recovery:address:${network}`, RATE_LIMITS.recoveryPerAddress, nowMs),
    db
      .select({
        id: users.id,
        username: users.username,
        active: users.active,
        disabledAt: users.disabledAt,
      })
      .from(users)
      .where(eq(users.email, email)),
  ])
  return { rates: [perTarget, perAddress], user: rows[0] }
}

/** Stores a link that is about to be mailed. */
export async function storeLink(
  db: Db,
  link: { userId: number; purpose: LinkPurpose; tokenHash: string },
  { ip, now }: Visit,
): Promise<void> {
  await db.batch([
    insertLink(db, { ...link, now }),
    insertAudit(db, {
      actorId: null,
      action: 'user.password_recovery',
      subject: String(link.userId),
      detail: { purpose: link.purpose },
      ip,
      now,
    }),
  ])
}

/**
 * Does what a link allows and uses it up, in one transaction; false when somebody else was first.
 * @param passwordHash null keeps the password there is
 */
export async function useLink(
  db: Db,
  link: { userId: number; purpose: LinkPurpose; tokenHash: string; passwordHash: string | null },
  { ip, now }: Visit,
): Promise<boolean> {
  const alive = isLinkAlive(link.tokenHash)
  const [changed] = await db.batch([
    db
      .update(users)
      .set({
        ...(link.passwordHash !== null && { passwordHash: link.passwordHash }),
        ...(link.purpose === 'activate' && { active: true }),
      })
      .where(and(eq(users.id, link.userId), alive))
      .returning({ id: users.id }),
    insertAudit(
      db,
      {
        actorId: link.userId,
        action: link.purpose === 'activate' ? 'user.activate' : 'user.password_reset',
        subject: String(link.userId),
        ip,
        now,
      },
      alive,
    ),
    ...endAccess(db, link.userId, alive),
  ])
  return changed.length > 0
}
