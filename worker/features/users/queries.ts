/** Accounts: profiles, and what admins change. */
import { and, eq, sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { roleCan, rolesThatCan } from '#contract/roles'
import type { NewUser, Profile, ProfileChange, UserChange } from '#contract/people/users'
import { insertLink } from '../../db/account-links.ts'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { takeToken, wasAllowed } from '../../db/rate-limits.ts'
import { accountLinks, users } from '../../db/schema.ts'
import { endAccess, type SessionUser } from '../../db/sessions.ts'
import type { Change } from '../../http/change.ts'
import { asConflict } from '../../http/conflict.ts'
import { contentVersion } from '../../http/edit-tag.ts'
import { AppError } from '../../http/errors.ts'

/** Audit entries about one person's edits of their profile: `burst` at once, then one per interval. */
export const NOTED_EDITS = { burst: 10, intervalMs: 600_000 } as const

const admins = alias(users, 'admins')

/**
 * A profile as the viewer may see it. `version` for its edits; null for viewers who may not edit it, because it depends on fields
 * that they do not see.
 */
export async function getProfile(
  db: Db,
  viewer: SessionUser,
  username: string,
): Promise<{ profile: Profile; version: number | null } | undefined> {
  const row = await db
    .select({
      username: users.username,
      displayedName: users.displayedName,
      bio: users.bio,
      role: users.role,
      email: users.email,
      active: users.active,
    })
    .from(users)
    .where(eq(users.usernameKey, username.toLowerCase()))
    .get()
  if (!row) return undefined
  const { username: name, displayedName, bio, role, email } = row
  const profile = { username: name, displayedName, bio, role }
  return viewer.username === name || roleCan(viewer.role, 'users.manage')
    ? { profile: { ...profile, email }, version: accountVersion(row) }
    : { profile, version: null }
}

/** The version for edits of an account, made from all fields that can be edited and are shown to its editors. */
export function accountVersion(account: Account): number {
  const { displayedName, bio, role, email, active } = account
  return contentVersion([displayedName, bio, role, email, active])
}
type Account = Pick<
  typeof users.$inferSelect,
  'displayedName' | 'bio' | 'role' | 'email' | 'active'
>

/** The statement that demands that an account has not changed since the edit's version was read; null: it may have changed. */
function demandUnchanged(db: Db, userId: number, based: Account | null) {
  if (based === null) return demand(db, 'stale_edit', sql`1`)
  const isUnchanged = sql`exists (select 1 from ${users} where ${users.id} = ${userId}
    and ${users.displayedName} = ${based.displayedName}
    and ${users.bio} = ${based.bio} and ${users.role} = ${based.role} and ${users.email} = ${based.email}
    and ${users.active} = ${Number(based.active)})`
  return demand(db, 'stale_edit', isUnchanged)
}

/** The account that an edit is based on: the row just read, if its version fits; null if the caller names no version. */
function requireCurrent(account: Account, basedOn: number | null): Account | null {
  if (basedOn === null) return null
  if (basedOn !== accountVersion(account)) throw new AppError('stale_edit')
  return account
}

/**
 * Changes the caller's profile.
 * @param basedOn version the edit was made on; null overwrites any version
 */
export async function updateProfile(
  db: Db,
  { displayedName, bio }: ProfileChange,
  basedOn: number | null,
  change: Change,
): Promise<void> {
  const { actor } = change
  const based = requireCurrent({ ...actor, active: true }, basedOn)
  // An edit without a change writes nothing.
  if (
    (displayedName ?? actor.displayedName) === actor.displayedName &&
    (bio ?? actor.bio) === actor.bio
  )
    return
  const fields = {
    displayedName: displayedName ?? sql`${users.displayedName}`,
    bio: bio ?? sql`${users.bio}`,
  }
  // The log is kept for good, and edits that go back and forth must not fill it.
  const key = `profile-edits:${actor.id}`
  await db.batch([
    demandUnchanged(db, actor.id, based),
    takeToken(db, key, NOTED_EDITS, Date.now()),
    insertAudit(db, change, {
      action: 'user.profile',
      subject: String(actor.id),
      when: wasAllowed(key),
    }),
    db.update(users).set(fields).where(eq(users.id, actor.id)),
  ])
}

/** A new account. `linkHash`: the hash of the activation link's token, if it needs a link. */
type NewUserRow = Pick<NewUser, 'username' | 'email' | 'role' | 'active'> & {
  displayedName: string
  passwordHash: string | null
  linkHash: string | null
}

/** Creates an account; 409 names what is taken. */
export async function insertUser(
  db: Db,
  { linkHash, ...row }: NewUserRow,
  change: Change,
): Promise<UserRow | undefined> {
  const { now } = change
  const usernameKey = row.username.toLowerCase()
  const idOfNew = sql`select ${users.id} from ${users}
    where ${users.usernameKey} = ${usernameKey} and ${users.createdAt} = ${now} and ${users.email} = ${row.email}`
  try {
    const [inserted] = await db.batch([
      db
        .insert(users)
        // An admin vouches for the accounts they create.
        .values({ ...row, usernameKey, emailConfirmedAt: now, createdAt: now })
        .returning(),
      ...(linkHash === null
        ? []
        : [insertLink(db, { userId: idOfNew, purpose: 'activate', tokenHash: linkHash, now })]),
      insertAudit(db, change, {
        action: 'user.create',
        subject: sql`(select cast(${users.id} as text) from ${users} where ${users.usernameKey} = ${usernameKey})`,
        detail: { role: row.role },
      }),
    ])
    return inserted[0]
  } catch (error) {
    throw asConflict(error)
  }
}

/** The account to change. */
export async function findUser(db: Db, username: string) {
  return db.select().from(users).where(eq(users.usernameKey, username.toLowerCase())).get()
}
export type UserRow = NonNullable<Awaited<ReturnType<typeof findUser>>>

/** The condition that another account is an active admin, or that this account is no active admin itself. */
export function isDispensable(userId: number): SQL {
  const admin = sql`select 1 from ${users} ${admins} where ${admins.role} in ${rolesThatCan('users.manage')} and ${admins.active} = 1`
  return sql`(exists (${admin} and ${admins.id} <> ${userId}) or not exists (${admin} and ${admins.id} = ${userId}))`
}

/**
 * An admin's change of an account, with the password hashed. `vouches`: the e-mail counts as confirmed from now on, and the
 * old password no longer works, because the person who made the account may know it.
 */
type StoredChange = Omit<UserChange, 'password' | 'emailConfirmed'> & {
  passwordHash?: string
  vouches?: boolean
}

/**
 * Changes an account; signs its owner out if the change requires it. The conditions are checked in the transaction of the change,
 * so two admins cannot demote each other at once, and nobody overwrites another person's change.
 * @param basedOn version the edit was made on; null overwrites any version
 */
export async function updateUser(
  db: Db,
  user: UserRow,
  { vouches, ...changes }: StoredChange,
  basedOn: number | null,
  change: Change,
): Promise<UserRow> {
  const { now } = change
  // A person who has confirmed the e-mail since has chosen a password.
  const isClaim = sql`exists (select 1 from ${users} where ${users.id} = ${user.id} and ${users.emailConfirmedAt} is null)`
  const based = requireCurrent(user, basedOn)
  const mayDemote =
    changes.active === false ||
    (changes.role !== undefined && !roleCan(changes.role, 'users.manage'))
  const before = sql`select 1 from ${users} where ${users.id} = ${user.id}`
  const ends =
    changes.passwordHash !== undefined || changes.active === false || vouches
      ? undefined
      : sql`exists (${before} and ${users.role} <> ${changes.role ?? null})`
  const moves = sql`exists (${before} and ${users.email} <> ${changes.email ?? null})`
  const detail = {
    changed: [...Object.keys(changes), ...(vouches ? ['emailConfirmed'] : [])],
    ...(changes.role !== undefined && { role: changes.role }),
  }
  const fields = {
    ...(vouches && { emailConfirmedAt: now, passwordHash: null }),
    ...changes,
    ...(changes.active === true && { disabledAt: null }),
    ...(changes.active === false && { disabledAt: now }),
    ...(changes.email !== undefined && {
      madeInCourseId: sql`iif(${users.email} = ${changes.email}, ${users.madeInCourseId}, null)`,
    }),
    // An update needs a field even when nothing changes.
    role: changes.role ?? sql`${users.role}`,
  }
  try {
    const [, , , , , , , updated] = await db.batch([
      demandUnchanged(db, user.id, based),
      demand(db, 'stale_edit', vouches ? isClaim : sql`1`),
      demand(db, 'last_admin', mayDemote ? isDispensable(user.id) : sql`1`),
      // The condition compares with the old row, so these statements come before the update.
      ...endAccess(db, user.id, ends),
      // Mailed links went to the old address.
      db.delete(accountLinks).where(and(eq(accountLinks.userId, user.id), moves)),
      db.update(users).set(fields).where(eq(users.id, user.id)).returning(),
      insertAudit(db, change, { action: 'user.update', subject: String(user.id), detail }),
    ])
    return updated[0] ?? user
  } catch (error) {
    throw asConflict(error)
  }
}

/** Signs a person out everywhere: ends their sessions and API tokens. Password and mailed links stay. */
export async function endUserSessions(db: Db, userId: number, change: Change): Promise<void> {
  const [sessions, tokens] = endAccess(db, userId)
  const entry = { action: 'user.sessions_end', subject: String(userId) }
  await db.batch([sessions, tokens, insertAudit(db, change, entry)])
}
