/** Sign-in and its record. */
import { and, eq, gt, or, sql } from 'drizzle-orm'
import { LOGIN_LIMITS } from '#contract/limits'
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
  await db.insert(loginRecords).values(loginRecord(attempt, userId, false))
}

/** Records a success and begins the session, replacing the one the browser had before (no fixation). */
export async function insertSession(
  db: Db,
  attempt: LoginAttempt,
  userId: number,
  tokenHash: string,
  oldTokenHash: string | null,
): Promise<void> {
  const { ip, agent, now } = attempt
  await db.batch([
    db.delete(sessions).where(eq(sessions.tokenHash, oldTokenHash ?? '')),
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
