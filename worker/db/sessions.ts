/** Sessions: the queries behind every signed-in call. */
import { and, eq, gt, lt, sql, type Placeholder, type SQL } from 'drizzle-orm'
import type { RoleCode } from '#contract/roles'
import { preparedOnce, type Db } from './client.ts'
import { SESSION_SECONDS } from './lifetimes.ts'
import { accountLinks, apiTokens, sessions, users } from './schema.ts'

/** The signed-in person, for handlers. */
export interface SessionUser {
  id: number
  username: string
  displayedName: string
  role: RoleCode
  email: string
  /** When the e-mail was confirmed (epoch seconds); null if it was not. */
  emailConfirmedAt: number | null
  /** By when its owner has to confirm the e-mail (epoch seconds); null: they need not. */
  confirmDueAt: number | null
  bio: string
}

/** The columns of a `SessionUser`. */
const sessionUserColumns = {
  id: users.id,
  username: users.username,
  displayedName: users.displayedName,
  role: users.role,
  email: users.email,
  emailConfirmedAt: users.emailConfirmedAt,
  confirmDueAt: users.confirmDueAt,
  bio: users.bio,
}

/** The condition that a session is within its idle and its absolute lifetime. @param now epoch seconds */
export function isSessionAlive(now: number | Placeholder): SQL {
  const { shared, idle, absolute } = SESSION_SECONDS
  return sql`(${sessions.lastSeenAt} > ${now} - iif(${sessions.shared}, ${shared.idle}, ${idle})
    and ${sessions.createdAt} > ${now} - iif(${sessions.shared}, ${shared.absolute}, ${absolute}))`
}

/** The look-up of a session, prepared once per client: every call begins with it. */
const lookUpSession = preparedOnce((db) =>
  db
    .select({
      user: sessionUserColumns,
      lastSeenAt: sessions.lastSeenAt,
      confirmedAt: sessions.confirmedAt,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sessions.tokenHash, sql.placeholder('tokenHash')),
        isSessionAlive(sql.placeholder('now')),
        eq(users.active, true),
      ),
    )
    .prepare(),
)

/** The active user of a live session: within the idle and the absolute lifetime. @param now epoch seconds */
export async function findSessionUser(db: Db, tokenHash: string, now: number) {
  return lookUpSession(db).get({ tokenHash, now })
}

/** The active owner of a live personal API token. @param now epoch seconds */
export async function findTokenUser(db: Db, tokenHash: string, now: number) {
  return db
    .select({
      user: sessionUserColumns,
      scopes: apiTokens.scopes,
      lastUsedAt: apiTokens.lastUsedAt,
    })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .where(
      and(eq(apiTokens.tokenHash, tokenHash), gt(apiTokens.expiresAt, now), eq(users.active, true)),
    )
    .get()
}

/** Notes that a token was used just now. */
export async function touchToken(db: Db, tokenHash: string, now: number): Promise<void> {
  await db.update(apiTokens).set({ lastUsedAt: now }).where(eq(apiTokens.tokenHash, tokenHash))
}

/** Notes that a session was used just now. */
export async function touchSession(db: Db, tokenHash: string, now: number): Promise<void> {
  await db.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.tokenHash, tokenHash))
}

/** Notes that the password was typed in a session just now. */
export async function confirmSession(db: Db, tokenHash: string, now: number): Promise<void> {
  await db.update(sessions).set({ confirmedAt: now }).where(eq(sessions.tokenHash, tokenHash))
}

/** Ends one session. @returns the id of the session's owner; undefined without such a session */
export async function deleteSession(db: Db, tokenHash: string): Promise<number | undefined> {
  const [gone] = await db
    .delete(sessions)
    .where(eq(sessions.tokenHash, tokenHash))
    .returning({ userId: sessions.userId })
  return gone?.userId
}

/**
 * The statements that end a person's sessions, API tokens (a stolen session could have made one) and mailed
 * links, for the batch of a change that requires it.
 * @param when the condition of that change, if it may not happen
 */
export function endAccess(db: Db, userId: number, when?: SQL) {
  return [
    db.delete(sessions).where(and(eq(sessions.userId, userId), when)),
    db.delete(apiTokens).where(and(eq(apiTokens.userId, userId), when)),
    db.delete(accountLinks).where(and(eq(accountLinks.userId, userId), when)),
  ] as const
}

/** Deletes expired sessions and links. */
export async function deleteExpiredAccess(db: Db, now: number): Promise<void> {
  await db.batch([
    db.delete(sessions).where(lt(sessions.createdAt, now - SESSION_SECONDS.absolute)),
    db.delete(accountLinks).where(lt(accountLinks.expiresAt, now)),
  ])
}
