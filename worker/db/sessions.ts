/** The queries behind every signed-in call. */
import { and, eq, gt } from 'drizzle-orm'
import { SESSION_SECONDS } from '#contract/limits'
import type { RoleCode } from '#contract/roles'
import type { Db } from './client.ts'
import { sessions, users } from './schema.ts'

/** The signed-in person, as much as any handler needs. */
export interface SessionUser {
  id: number
  username: string
  displayedName: string
  role: RoleCode
  email: string
  bio: string
}

/**
 * The active user of a live session: used within the idle time, begun within the absolute one.
 * @param now epoch seconds
 */
export async function findSessionUser(
  db: Db,
  tokenHash: string,
  now: number,
): Promise<{ user: SessionUser; lastSeenAt: number } | undefined> {
  return db
    .select({
      user: {
        id: users.id,
        username: users.username,
        displayedName: users.displayedName,
        role: users.role,
        email: users.email,
        bio: users.bio,
      },
      lastSeenAt: sessions.lastSeenAt,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sessions.tokenHash, tokenHash),
        gt(sessions.lastSeenAt, now - SESSION_SECONDS.idle),
        gt(sessions.createdAt, now - SESSION_SECONDS.absolute),
        eq(users.active, true),
      ),
    )
    .get()
}

/** Notes that a session was used just now. */
export async function touchSession(db: Db, tokenHash: string, now: number): Promise<void> {
  await db.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.tokenHash, tokenHash))
}

/** Ends one session. */
export async function deleteSession(db: Db, tokenHash: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.tokenHash, tokenHash))
}
