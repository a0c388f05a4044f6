/** Sign-in and its record. */
import { and, eq, or, sql, type SQL } from 'drizzle-orm'
import { LOGIN_LIMITS } from '#contract/limits'
import { insertAudit } from '../../db/audit.ts'
import { execute, type Db } from '../../db/client.ts'
import { isFoundByEmail } from '../../db/identities.ts'
import { loginRecords, sessions, users } from '../../db/schema.ts'
import { networkOf } from '../../http/client.ts'

/** Where an attempt to sign in comes from, and for whom. `account` is what was typed, in lower case. */
export interface LoginAttempt {
  account: string
  ip: string
  agent: string
  /** Epoch seconds. */
  now: number
}

/** An attempt that was let in: its record, and the person it turned out to be about. */
export interface LoginRecord {
  id: number
  userId: number | null
}

/**
 * The account an attempt is for, and its record, unless too many have failed lately; all in one transaction.
 * The record is made before the password is checked, and what is still being checked counts against the account:
 * guesses sent at once are no way around the limit. Against the address only real failures count, because a
 * class may sign in behind one address at once. An address is here what rate limits count as one.
 * @returns no `recordId` when the attempt is refused; then `blockedSince` is when the failure was that has to pass out
 * of the window before another attempt is let in
 */
export async function beginLogin(db: Db, attempt: LoginAttempt) {
  const { account, ip, agent, now } = attempt
  const network = networkOf(ip)
  const since = now - LOGIN_LIMITS.windowSeconds
  const lately = sql`from login_records r where r.ip = ${network} and r.created_at > ${since}`
  const ofAccount = sql`${lately} and r.account = ${account} and r.ok is not 1`
  const ofAddress = sql`${lately} and r.ok = 0`
  // As long as it counts, so do the ones after it, and the limit is reached.
  const nth = (which: SQL, limit: number) => sql`coalesce((select r.created_at ${which}
    order by r.created_at desc limit 1 offset ${limit - 1}), 0)`
  const [accounts, [limit], [record]] = await db.batch([
    db
      .select({
        id: users.id,
        passwordHash: users.passwordHash,
        active: users.active,
        email: users.email,
      })
      .from(users)
      .where(or(eq(users.usernameKey, account), isFoundByEmail(account))),
    execute<{ blockedSince: number }>(
      db,
      sql`select max(${nth(ofAccount, LOGIN_LIMITS.perAccountAndAddress)}, ${nth(ofAddress, LOGIN_LIMITS.perAddress)})
        as blockedSince`,
    ),
    execute<{ id: number }>(
      db,
      sql`insert into ${loginRecords} (account, ip, agent, created_at)
        select ${account}, ${network}, ${agent}, ${now}
        where (select count(*) ${ofAccount}) < ${LOGIN_LIMITS.perAccountAndAddress}
          and (select count(*) ${ofAddress}) < ${LOGIN_LIMITS.perAddress}
        returning id`,
    ),
  ])
  return { user: accounts[0], recordId: record?.id, blockedSince: limit?.blockedSince ?? now }
}

/** The statement that says how an attempt ended. `ok`: whether the password was right. */
function settle(db: Db, { id, userId }: LoginRecord, ok: boolean, when?: SQL) {
  return db
    .update(loginRecords)
    .set({ ok, userId })
    .where(and(eq(loginRecords.id, id), when))
}

/** Records that an attempt was refused. */
export async function refuseLogin(
  db: Db,
  attempt: LoginAttempt,
  record: LoginRecord,
  wasRight: boolean,
): Promise<void> {
  await db.batch([
    settle(db, record, wasRight),
    auditOf(db, 'session.refuse', attempt, record.userId),
  ])
}

/**
 * A session about to begin. `verifiedHash`: what the password was checked against;
 * `newHash`: the password hashed anew, when the stored parameters are out of date.
 */
export interface NewSession {
  userId: number
  tokenHash: string
  oldTokenHash: string | null
  verifiedHash: string
  newHash: string | null
}

/**
 * Records a success and begins the session, replacing the one the browser had before (no fixation).
 * @returns false, and nothing is stored, when the password changed or the account closed since the check
 */
export async function insertSession(
  db: Db,
  attempt: LoginAttempt,
  record: LoginRecord,
  { userId, tokenHash, oldTokenHash, verifiedHash, newHash }: NewSession,
): Promise<boolean> {
  const { ip, agent, now } = attempt
  const begun = sql`exists (select 1 from sessions b where b.token_hash = ${tokenHash})`
  const [inserted] = await db.batch([
    execute(
      db,
      sql`insert into ${sessions} (token_hash, user_id, ip, agent, created_at, last_seen_at, confirmed_at)
        select ${tokenHash}, u.id, ${ip}, ${agent}, ${now}, ${now}, ${now} from users u
        where u.id = ${userId} and u.password_hash = ${verifiedHash} and u.active = 1
        returning user_id`,
    ),
    db
      .update(users)
      .set({ passwordHash: newHash })
      .where(
        and(
          eq(users.id, userId),
          eq(users.passwordHash, verifiedHash),
          sql`${newHash} is not null`,
          begun,
        ),
      ),
    db.delete(sessions).where(and(eq(sessions.tokenHash, oldTokenHash ?? ''), begun)),
    auditOf(db, 'session.begin', attempt, userId, begun),
    settle(db, record, true, begun),
  ])
  return inserted.length > 0
}

/** The audit entry of an attempt; what was typed is not in it, because people type passwords there too. */
function auditOf(
  db: Db,
  action: string,
  { ip, agent, now }: LoginAttempt,
  userId: number | null,
  when?: SQL,
) {
  const subject = userId === null ? '' : String(userId)
  return insertAudit(db, { actorId: userId, action, subject, detail: { agent }, ip, now }, when)
}
