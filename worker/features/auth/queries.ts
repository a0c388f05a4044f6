/** Sign-in and its record. */
import { and, eq, gt, or, sql } from 'drizzle-orm'
import { LOGIN_LIMITS } from '#contract/limits'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { loginRecords, sessions, users } from '../../db/schema.ts'

/** Where an attempt to sign in comes from, and for whom. `account` is what was typed, in lower case. */
export interface LoginAttempt {
  account: string
  ip: string
  agent: string
  /** Epoch seconds. */
  now: number
}

/** The account an attempt is for, and how often attempts failed lately, all in one round trip. */
export async function findLogin(db: Db, { account, ip, now }: LoginAttempt) {
  const isMine = sql<number>`sum(${loginRecords.account} = ${account})`
  const [accounts, failures] = await db.batch([
    db
      .select({
        id: users.id,
        passwordHash: users.passwordHash,
        active: users.active,
        email: users.email,
      })
      .from(users)
      .where(or(eq(users.usernameKey, account), eq(users.email, account))),
    db
      .select({
        all: sql<number>`count(*)`,
        own: isMine,
        oldest: sql<number | null>`min(${loginRecords.createdAt})`,
      })
      .from(loginRecords)
      .where(
        and(
          eq(loginRecords.ip, ip),
          gt(loginRecords.createdAt, now - LOGIN_LIMITS.windowSeconds),
          eq(loginRecords.ok, false),
        ),
      ),
  ])
  const failed = failures[0]
  return {
    user: accounts[0],
    failures: {
      fromAddress: failed?.all ?? 0,
      onAccount: failed?.own ?? 0,
      oldest: failed?.oldest ?? now,
    },
  }
}

/** Records a failed attempt. */
export async function insertFailedLogin(
  db: Db,
  attempt: LoginAttempt,
  userId: number | null,
): Promise<void> {
  await db.batch([
    db.insert(loginRecords).values(loginRecord(attempt, userId, false)),
    auditOf(db, 'session.refuse', attempt, userId),
  ])
}

/** A session about to begin. `newHash`: the password hashed anew, when the stored parameters are out of date. */
export interface NewSession {
  userId: number
  tokenHash: string
  oldTokenHash: string | null
  newHash: string | null
}

/** Records a success and begins the session, replacing the one the browser had before (no fixation). */
export async function insertSession(
  db: Db,
  attempt: LoginAttempt,
  { userId, tokenHash, oldTokenHash, newHash }: NewSession,
): Promise<void> {
  const { ip, agent, now } = attempt
  await db.batch([
    db
      .update(users)
      .set({ passwordHash: newHash })
      .where(and(eq(users.id, userId), sql`${newHash} is not null`)),
    db.delete(sessions).where(eq(sessions.tokenHash, oldTokenHash ?? '')),
    auditOf(db, 'session.begin', attempt, userId),
    db.insert(sessions).values({ tokenHash, userId, ip, agent, createdAt: now, lastSeenAt: now }),
    db.insert(loginRecords).values(loginRecord(attempt, userId, true)),
  ])
}

/** The row of an attempt. */
function loginRecord(
  { account, ip, agent, now }: LoginAttempt,
  userId: number | null,
  ok: boolean,
) {
  return { account, ip, agent, createdAt: now, userId, ok }
}

/** The audit entry of an attempt; what was typed is not in it, because people type passwords there too. */
function auditOf(db: Db, action: string, { ip, agent, now }: LoginAttempt, userId: number | null) {
  const subject = userId === null ? '' : String(userId)
  return insertAudit(db, { actorId: userId, action, subject, detail: { agent }, ip, now })
}
