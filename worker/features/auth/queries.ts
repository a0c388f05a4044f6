/** SQL for signing in. */
import { createHash } from 'node:crypto'
import { and, eq, or, sql, type SQL } from 'drizzle-orm'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { isFoundByEmail } from '../../db/identities.ts'
import {
  hasNotBeenFull,
  returnToken,
  takeToken,
  takeTokens,
  wasAllowed,
  type Bucket,
  type RateAnswer,
  type DebitedBucket,
} from '../../db/rate-limits.ts'
import { loginRecords, sessions, users } from '../../db/schema.ts'
import { insertSelect } from '../../db/statements.ts'
import { networkOf, siteOf } from '../../http/client.ts'
import { ACCOUNT_LIMITS, LOGIN_LIMITS } from './auth-limits.ts'

/** The origin of an attempt to sign in. `now` in epoch seconds. */
export interface LoginAttempt {
  ip: string
  agent: string
  now: number
}

/** The account of a username or an e-mail address, in lower case. */
export async function findLoginAccount(db: Db, name: string) {
  return db
    .select({
      id: users.id,
      passwordHash: users.passwordHash,
      active: users.active,
      email: users.email,
    })
    .from(users)
    .where(or(eq(users.usernameKey, name), isFoundByEmail(name)))
    .get()
}

/**
 * The limits of an attempt, in the order of asking. After a refusal no token is taken of the later limits, so a site beyond its own
 * limit slows no account down. A known browser has only its own limit. A key holds the typed name, not the account: if two names
 * shared a limit, it would show that both belong to one person. People also type passwords into the name field, so a key holds only
 * 16 bits of the name's hash, which many names share.
 * @param name as typed, in lower case
 */
export function loginBuckets(
  name: string,
  ip: string,
  deviceKey: string | undefined,
): [Bucket, ...Bucket[]] {
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 4)
  if (deviceKey !== undefined)
    return [{ key: `login:device:${mark}:${deviceKey}`, rule: LOGIN_LIMITS.perDevice }]
  const [network, site] = [networkOf(ip), siteOf(ip)]
  return [
    { key: `login:name-site:${mark}:${site}`, rule: LOGIN_LIMITS.perNameAndSite },
    { key: `login:name:${mark}`, rule: LOGIN_LIMITS.perName },
    { key: `login:address:${network}`, rule: LOGIN_LIMITS.perAddress },
    ...(site === network ? [] : [{ key: `login:site:${site}`, rule: LOGIN_LIMITS.perSite }]),
  ]
}

/**
 * Takes a token of every limit before the password is checked, so parallel guesses bypass no limit.
 * @returns the answers of the limits, and the limits of which a token was taken
 */
export async function takeLoginTokens(
  db: Db,
  buckets: [Bucket, ...Bucket[]],
): Promise<{ answers: RateAnswer[][]; debited: DebitedBucket[] }> {
  const answers = await db.batch(takeTokens(db, buckets, Date.now()).statements)
  const debited = buckets.flatMap((bucket, index) =>
    (answers[index] ?? []).map(({ fullAtMs }) => ({ ...bucket, fullAtMs })),
  )
  return { answers, debited }
}

/** The statements that return an attempt's tokens, because it was no wrong guess. */
function returnTokens(db: Db, debited: DebitedBucket[]) {
  const nowMs = Date.now()
  return debited.map((bucket) => returnToken(db, bucket, hasNotBeenFull(bucket, nowMs)))
}

/** Returns an attempt's tokens. */
export async function returnLoginTokens(db: Db, debited: DebitedBucket[]): Promise<void> {
  const [first, ...others] = returnTokens(db, debited)
  if (first) await db.batch([first, ...others])
}

/** The statement that records how an attempt ended. */
function insertLoginRecord(
  db: Db,
  { ip, agent, now }: LoginAttempt,
  userId: number | SQL,
  ok: boolean,
  when?: SQL,
) {
  const values = { userId, ip: networkOf(ip), agent, ok, createdAt: now }
  return insertSelect(db, loginRecords, values, sql`where ${when ?? sql`1`}`)
}

/**
 * Records a refused attempt. The audit log is kept for good, so it records only a limited number of a site's attempts.
 * @param userId null for an unknown name
 * @param closed the tokens to return if the password was right but the account is not active
 */
export async function refuseLogin(
  db: Db,
  attempt: LoginAttempt,
  userId: number | null,
  closed: DebitedBucket[] | null,
): Promise<void> {
  const key = `refused:${siteOf(attempt.ip)}`
  await db.batch([
    takeToken(db, key, ACCOUNT_LIMITS.refusedSignInsPerSite, Date.now()),
    auditOf(db, 'session.refuse', attempt, userId, wasAllowed(key)),
    ...(userId === null ? [] : [insertLoginRecord(db, attempt, userId, closed !== null)]),
    ...returnTokens(db, closed ?? []),
  ])
}

/**
 * A new session. `verifiedHash`: what the password was checked against. `newHash`: the password hashed
 * anew, when the stored parameters are out of date.
 */
interface NewSession {
  /** A select, where the same batch makes the account. */
  userId: number | SQL
  tokenHash: string
  oldTokenHash: string | null
  verifiedHash: string
  newHash: string | null
  /** The person uses a shared computer. */
  shared: boolean
}

/** An ended session and its owner. */
export interface EndedSession {
  userId: number
  tokenHash: string
}

/**
 * The statements that record a success and begin the session, unless the password changed or the account closed since the check. The
 * session replaces the browser's earlier one (no fixation), which the third statement returns.
 */
export function beginSession(
  db: Db,
  attempt: LoginAttempt,
  { userId, tokenHash, oldTokenHash, verifiedHash, newHash, shared }: NewSession,
) {
  const { ip, agent, now } = attempt
  const begun = sql`exists (select 1 from ${sessions} where ${sessions.tokenHash} = ${tokenHash})`
  return [
    insertSelect(
      db,
      sessions,
      {
        tokenHash,
        userId: users.id,
        ip,
        agent,
        createdAt: now,
        lastSeenAt: now,
        confirmedAt: now,
        shared,
      },
      sql`from ${users}
        where ${users.id} = ${userId} and ${users.passwordHash} = ${verifiedHash} and ${users.active} = 1
        returning ${sessions.userId}`,
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
    db
      .delete(sessions)
      .where(and(eq(sessions.tokenHash, oldTokenHash ?? ''), begun))
      .returning({ userId: sessions.userId, tokenHash: sessions.tokenHash }),
    auditOf(db, 'session.begin', attempt, userId, begun),
    insertLoginRecord(db, attempt, userId, true, begun),
  ] as const
}

/**
 * Begins a session after the right password. The attempt gets its tokens back.
 * @returns the session that it has replaced, if any; null if the password changed or the account closed since the check: then
 * nothing is stored
 */
export async function insertSession(
  db: Db,
  attempt: LoginAttempt,
  debited: DebitedBucket[],
  session: NewSession,
): Promise<{ replaced: EndedSession | undefined } | null> {
  const [inserted, , [replaced]] = await db.batch([
    ...beginSession(db, attempt, session),
    ...returnTokens(db, debited),
  ])
  return inserted.length > 0 ? { replaced } : null
}

/** The audit entry of an attempt, without the typed name: people type passwords as names. */
function auditOf(
  db: Db,
  action: string,
  { ip, agent, now }: LoginAttempt,
  userId: number | SQL | null,
  when?: SQL,
) {
  const subject = typeof userId === 'number' ? String(userId) : (userId ?? '')
  return insertAudit(
    db,
    { actor: { id: userId }, ip, now },
    { action, subject, detail: { agent }, when },
  )
}
