/** SQL for the first link of an account, which activates it or confirms its e-mail; `users.linkDueAt` says from when it is due. */
import { and, asc, count, sql, type SQL } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { LINK_SECONDS } from '../../../db/lifetimes.ts'
import { accountLinks, users, vitals } from '../../../db/schema.ts'
import { columnName, excluded, insertSelect, onConflictUpdate } from '../../../db/statements.ts'

/** How long a call that has taken a link has to mail it. */
const LEASE_SECONDS = 600

/** The condition that an account waits for its link; the index has the same condition. */
const waits = sql`${users.linkDueAt} is not null and ${users.disabledAt} is null
  and (${users.passwordHash} is null or (${users.confirmDueAt} is not null and ${users.emailConfirmedAt} is null))`

/** The condition that a link may be mailed now. */
function isDue(now: number): SQL {
  return sql`(${waits} and ${users.linkDueAt} <= ${now} and not exists
    (select 1 from ${vitals} where ${vitals.name} = 'mails_resume_at' and ${vitals.value} > ${now}))`
}

/** The condition that an account has one of these usernames. */
function isOneOf(usernames: string[]): SQL {
  const keys = JSON.stringify(usernames.map((name) => name.toLowerCase()))
  return sql`${users.usernameKey} in (select value from json_each(${keys}))`
}

/** The accounts whose link may be mailed now, the oldest first. `confirmBy`: null where it activates the account. @param usernames the accounts to look at; null: all */
export async function listDueLinks(
  db: Db,
  usernames: string[] | null,
  now: number,
  limit: number,
): Promise<{ username: string; email: string; confirmBy: number | null }[]> {
  return db
    .select({
      username: users.username,
      email: users.email,
      confirmBy: sql<
        number | null
      >`iif(${users.passwordHash} is null, null, ${users.confirmDueAt})`,
    })
    .from(users)
    .where(and(isDue(now), usernames === null ? undefined : isOneOf(usernames)))
    .orderBy(asc(users.linkDueAt))
    .limit(limit)
}

/**
 * Stores the links that are still due and marks them as taken, so that no other call mails them meanwhile.
 * @returns the hashes of the stored links
 */
export async function storeDueLinks(
  db: Db,
  links: { username: string; tokenHash: string }[],
  now: number,
): Promise<string[]> {
  const json = JSON.stringify(links.map(({ username, tokenHash }) => ({ username, tokenHash })))
  const [rows] = await db.batch([
    insertSelect<typeof accountLinks, { tokenHash: string }>(
      db,
      accountLinks,
      {
        userId: users.id,
        purpose: sql`iif(${users.passwordHash} is null, 'activate', 'confirm')`,
        tokenHash: sql`value ->> 'tokenHash'`,
        newEmail: null,
        expiresAt: sql`${now} + iif(${users.passwordHash} is null, ${LINK_SECONDS.activate}, ${LINK_SECONDS.confirm})`,
      },
      sql`from json_each(${json})
        join ${users} on ${users.usernameKey} = lower(value ->> 'username') and ${isDue(now)}
        where true
        ${onConflictUpdate(accountLinks, [accountLinks.userId, accountLinks.purpose], {
          tokenHash: excluded(accountLinks.tokenHash),
          expiresAt: excluded(accountLinks.expiresAt),
        })} returning ${columnName(accountLinks.tokenHash)} as "tokenHash"`,
    ),
    db
      .update(users)
      .set({ linkDueAt: now + LEASE_SECONDS })
      .where(and(isOneOf(links.map(({ username }) => username)), isDue(now))),
  ])
  return rows.map(({ tokenHash }) => tokenHash)
}

/** Gives back the links that `storeDueLinks` took. Links of the usernames in `settled` are no longer due; all others are due again. */
export async function settleDueLinks(
  db: Db,
  tokenHashes: string[],
  settled: string[],
  now: number,
): Promise<void> {
  await db
    .update(users)
    .set({ linkDueAt: sql`iif(${isOneOf(settled)}, null, ${now})` })
    .where(
      sql`${users.id} in (select ${accountLinks.userId} from ${accountLinks}
        where ${accountLinks.tokenHash} in (select value from json_each(${JSON.stringify(tokenHashes)})))`,
    )
}

/** The statement that counts accounts that wait for their link. @param usernames the accounts to look at; null: all */
export function selectWaitingLinks(db: Db, usernames: string[] | null) {
  return db
    .select({ count: count() })
    .from(users)
    .where(and(waits, usernames === null ? undefined : isOneOf(usernames)))
}
