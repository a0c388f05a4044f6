/** One-time links: the tokens in mails, and what each of them allows. */
import { and, eq, gt, sql, type SQL } from 'drizzle-orm'
import type { Db } from './client.ts'
import { LINK_SECONDS } from './lifetimes.ts'
import { aboutPerson } from './people.ts'
import { accountLinks, sessions, users } from './schema.ts'
import { isSessionAlive } from './sessions.ts'
import { excluded, insertSelect, onConflictUpdate } from './statements.ts'

export type LinkPurpose = keyof typeof LINK_SECONDS

/**
 * The statement that stores a new link; it replaces the older one of the same purpose.
 * @param when the condition under which the link is stored
 */
export function insertLink(
  db: Db,
  link: {
    userId: number | SQL
    purpose: LinkPurpose
    tokenHash: string
    newEmail?: string
    now: number
  },
  when: SQL = sql`1`,
) {
  const { userId, purpose, tokenHash, newEmail = null, now } = link
  return insertSelect(
    db,
    accountLinks,
    {
      userId: users.id,
      purpose,
      tokenHash,
      newEmail,
      expiresAt: now + LINK_SECONDS[purpose],
    },
    sql`from ${users} where ${users.id} = (${userId}) and ${when}
      ${onConflictUpdate(accountLinks, [accountLinks.userId, accountLinks.purpose], {
        tokenHash: excluded(accountLinks.tokenHash),
        newEmail: excluded(accountLinks.newEmail),
        expiresAt: excluded(accountLinks.expiresAt),
      })}`,
  )
}

/** The account of a live link. `isOwn`: the asking browser is signed in to that account. */
export async function findLink(
  db: Db,
  { purpose, tokenHash }: { purpose: LinkPurpose; tokenHash: string },
  sessionHash: string | null,
  now: number,
) {
  return db
    .select({
      userId: users.id,
      username: users.username,
      passwordHash: users.passwordHash,
      email: users.email,
      emailConfirmedAt: users.emailConfirmedAt,
      confirmDueAt: users.confirmDueAt,
      isOwn: sql<0 | 1>`exists (select 1 from ${sessions}
        where ${sessions.tokenHash} = ${sessionHash} and ${sessions.userId} = ${users.id} and ${isSessionAlive(now)})`,
      newEmail: accountLinks.newEmail,
      about: aboutPerson(sql`${users.id}`),
    })
    .from(accountLinks)
    .innerJoin(users, eq(users.id, accountLinks.userId))
    .where(
      and(
        eq(accountLinks.tokenHash, tokenHash),
        eq(accountLinks.purpose, purpose),
        gt(accountLinks.expiresAt, now),
      ),
    )
    .get()
}

/** The condition for the writes that a link allows: nobody has used or replaced it since it was found. */
export function isLinkAlive(tokenHash: string): SQL {
  return sql`exists (select 1 from ${accountLinks} where ${accountLinks.tokenHash} = ${tokenHash})`
}
