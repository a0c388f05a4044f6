/** SQL of batch sign-up. Whole lists are one JSON parameter each, because D1 takes at most 100 parameters. */
import { and, isNull, sql, type SQL } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { alias } from 'drizzle-orm/sqlite-core'
import * as z from 'zod'
import { roleCode, ROLES, rolesThatCan, type RoleCode } from '#contract/roles'
import { insertAudit } from '../../../db/audit.ts'
import { rawQuery, type Db } from '../../../db/client.ts'
import { isNamed } from '../../../db/course-names.ts'
import { mayJoin } from '../../../db/identities.ts'
import { LINK_SECONDS } from '../../../db/lifetimes.ts'
import {
  accountLinks,
  apiTokens,
  auditEntries,
  courses,
  memberships,
  sessions,
  users,
} from '../../../db/schema.ts'
import { columnName, excluded, insertSelect, onConflictUpdate } from '../../../db/statements.ts'

const confirmed = alias(users, 'confirmed')

/**
 * An account that a row is about: it has the row's username, or has confirmed the row's e-mail.
 * `courseRole`: its role in the course of the rows. `madeHere`: that course's teacher made it. `elsewhere`:
 * it is in a course that is not the actor's. `isOpened`: its owner has signed in or confirmed the e-mail.
 */
export interface ExistingUser {
  id: number
  usernameKey: string
  email: string
  confirmed: 0 | 1
  role: RoleCode
  courseRole: 'ta' | 'student' | null
  madeHere: 0 | 1
  elsewhere: 0 | 1
  isOpened: 0 | 1
}

/** The change of one row. Null keeps the present value, or means a new account's default. */
export const signupWrite = z.object({
  action: z.enum(['create', 'update', 'enrol']),
  username: z.string(),
  email: z.string(),
  displayedName: z.string().nullable(),
  role: roleCode.nullable(),
  passwordHash: z.string().nullable(),
})
export type SignupWrite = z.infer<typeof signupWrite>

/** Rows per JSON parameter: with the longest names well below D1's 2 MB. */
const ROWS_PER_STATEMENT = 1_000

/** The accounts that have a username of the rows, or have confirmed an e-mail of them. */
export async function findExistingUsers(
  db: Db,
  rows: { username: string; email: string }[],
  actorId: number,
  course: string | null,
): Promise<ExistingUser[]> {
  const keys = JSON.stringify(rows.map((row) => row.username.toLowerCase()))
  const emails = JSON.stringify(rows.map((row) => row.email))
  return rawQuery<ExistingUser>(
    db,
    sql`
    select ${users.id} as id, ${users.usernameKey} as usernameKey, ${users.email} as email,
      ${users.emailConfirmedAt} is not null as confirmed, ${users.role} as role,
      (select case when ${courses.teacherId} = ${users.id} then 'ta' else ${memberships.role} end
        from ${courses} left join ${memberships}
          on ${memberships.courseId} = ${courses.id} and ${memberships.userId} = ${users.id}
        where ${isNamed(course)} and ${courses.deletedAt} is null) as courseRole,
      ${isMadeIn(sql`${users.madeInCourseId}`, course)} as madeHere,
      exists (select 1 from ${memberships} join ${courses} on ${courses.id} = ${memberships.courseId}
        where ${memberships.userId} = ${users.id} and ${courses.teacherId} is not ${actorId}) as elsewhere,
      ${isOpened(sql`${users.id}`)} as isOpened
    from ${users}
    where ${users.usernameKey} in (select value from json_each(${keys}))
      or (${users.email} in (select value from json_each(${emails})) and ${users.emailConfirmedAt} is not null)`,
  )
}

/** The condition that the course with this name made an account. */
function isMadeIn(madeInCourseId: SQL, course: string | null): SQL {
  return sql`exists (select 1 from ${courses} where ${courses.id} = ${madeInCourseId}
    and ${isNamed(course)} and ${courses.deletedAt} is null)`
}

/** The condition that somebody has signed in to an account, or has confirmed its e-mail. */
function isOpened(userId: SQL): SQL {
  return sql`(exists (select 1 from ${auditEntries} 
      where ${auditEntries.actorId} = ${userId} and ${auditEntries.action} = 'session.begin')
    or exists (select 1 from ${users} ${confirmed}
      where ${confirmed.id} = ${userId} and ${confirmed.emailConfirmedAt} is not null))`
}

/** Who signs up whom into what. `now` in epoch seconds. */
interface SignupOrigin {
  actorId: number
  course: string | null
  ip: string
  now: number
}

/**
 * The statements of the batch that writes everything: accounts, ended sessions, memberships, the audit
 * entry. An admin vouches for the e-mails of new accounts. A teacher does not: their accounts belong to the
 * course.
 * @param when the condition that all of them share, `maySignUp` with what the caller adds
 */
export function storeSignup(
  db: Db,
  writes: SignupWrite[],
  { actorId, course, ip, now }: SignupOrigin,
  when: SQL,
): [BatchItem<'sqlite'>, ...BatchItem<'sqlite'>[]] {
  const isManager = sql`exists (select 1 from ${users}
    where ${users.id} = ${actorId} and ${users.role} in ${rolesThatCan('users.manage')})`
  const mayUpdate = mayUpdateBy(isManager, course)
  const chunks = Array.from({ length: Math.ceil(writes.length / ROWS_PER_STATEMENT) }, (_, index) =>
    writes.slice(index * ROWS_PER_STATEMENT, (index + 1) * ROWS_PER_STATEMENT),
  )
  const countOf = (action: SignupWrite['action']): number =>
    writes.filter((write) => write.action === action).length
  const audit = insertAudit(
    db,
    { actor: { id: actorId }, ip, now },
    {
      action: 'user.batch_signup',
      // As it is called, however it was typed.
      subject: sql`coalesce((select ${courses.name} from ${courses} where ${isNamed(course)}), '')`,
      detail: {
        created: countOf('create'),
        updated: countOf('update'),
        enrolled: countOf('enrol'),
      },
      when,
    },
  )
  return [
    audit,
    // Whoever edits the course has seen other members.
    ...(course === null || writes.length === 0
      ? []
      : [
          db
            .update(courses)
            .set({ version: sql`${courses.version} + 1` })
            .where(and(isNamed(course), isNull(courses.deletedAt), when)),
        ]),
    ...chunks.flatMap((chunk) => {
      const updated = jsonOf(chunk, 'update')
      return [
        createAccounts(db, jsonOf(chunk, 'create'), isManager, { course, now, when }),
        ...endAccessOfChanged(db, updated, mayUpdate, when),
        updateAccounts(db, updated, isManager, sql`${mayUpdate} and ${when}`),
        enrolAll(db, chunk, { course, now, when }),
      ]
    }),
  ]
}

/** Into which course, at what time, under what condition accounts are written. */
interface SignupTarget {
  course: string | null
  now: number
  when: SQL
}

function createAccounts(
  db: Db,
  created: string,
  isManager: SQL,
  { course, now, when }: SignupTarget,
) {
  return insertSelect(
    db,
    users,
    {
      username: sql`value ->> 'username'`,
      usernameKey: sql`lower(value ->> 'username')`,
      email: sql`value ->> 'email'`,
      displayedName: sql`coalesce(value ->> 'displayedName', value ->> 'username')`,
      bio: '',
      role: sql`coalesce(value ->> 'role', ${ROLES.student})`,
      passwordHash: sql`value ->> 'passwordHash'`,
      // Without a password it waits for its mailed link.
      active: sql`value ->> 'passwordHash' is not null`,
      createdAt: now,
      emailConfirmedAt: sql`iif(${isManager}, ${now}, null)`,
      madeInCourseId: sql`iif(${isManager}, null, (select ${courses.id} from ${courses}
          where ${isNamed(course)} and ${courses.deletedAt} is null))`,
    },
    sql`from json_each(${created}) where ${when}`,
  )
}

function updateAccounts(db: Db, updated: string, isManager: SQL, when: SQL) {
  return db
    .update(users)
    .set({
      displayedName: sql`coalesce(w.value ->> 'displayedName', ${users.displayedName})`,
      email: sql`iif(${isManager}, w.value ->> 'email', ${users.email})`,
      // The course that made the account has no say in an address that an admin gives it.
      madeInCourseId: sql`iif(${isManager} and ${users.email} <> w.value ->> 'email', null, ${users.madeInCourseId})`,
      role: sql`coalesce(w.value ->> 'role', ${users.role})`,
      passwordHash: sql`coalesce(w.value ->> 'passwordHash', ${users.passwordHash})`,
      // One that waits for its mailed link needs it no more.
      active: sql`iif(w.value ->> 'passwordHash' is not null and ${users.disabledAt} is null, 1, ${users.active})`,
    })
    .from(sql`json_each(${updated}) w`)
    .where(sql`${users.usernameKey} = lower(w.value ->> 'username') and ${when}`)
}

function enrolAll(db: Db, chunk: SignupWrite[], { course, now, when }: SignupTarget) {
  const everyone = JSON.stringify(chunk.map((write) => write.username.toLowerCase()))
  return insertSelect(
    db,
    memberships,
    { courseId: courses.id, userId: users.id, role: 'student', joinedAt: now },
    sql`from ${courses}, ${users}
        where ${isNamed(course)} and ${courses.deletedAt} is null
          and ${users.id} is not ${courses.teacherId}
          and ${users.usernameKey} in (select value from json_each(${everyone}))
          and ${mayJoin(sql`${courses.id}`, sql`'student'`)} and ${when} on conflict do nothing`,
  )
}

/**
 * Stores the link of each account that still has no password.
 * @returns the hashes of those that were stored
 */
export async function insertActivationLinks(
  db: Db,
  links: { username: string; tokenHash: string }[],
  now: number,
): Promise<string[]> {
  const rows = await insertSelect<typeof accountLinks, { tokenHash: string }>(
    db,
    accountLinks,
    {
      userId: users.id,
      purpose: 'activate',
      tokenHash: sql`value ->> 'tokenHash'`,
      newEmail: null,
      expiresAt: now + LINK_SECONDS.activate,
    },
    sql`from json_each(${JSON.stringify(links)})
      join ${users} on ${users.usernameKey} = lower(value ->> 'username') and ${users.passwordHash} is null
      where true
      ${onConflictUpdate(accountLinks, [accountLinks.userId, accountLinks.purpose], {
        tokenHash: excluded(accountLinks.tokenHash),
        expiresAt: excluded(accountLinks.expiresAt),
      })} returning ${columnName(accountLinks.tokenHash)} as "tokenHash"`,
  )
  return rows.map(({ tokenHash }) => tokenHash)
}

/** Whether storing failed because a username or an e-mail was taken in the meantime. */
export function isUniqueViolation(error: unknown): boolean {
  const cause = error instanceof Error ? String(error.cause) : ''
  return /UNIQUE constraint failed: users/.test(`${String(error)} ${cause}`)
}

/** The writes of one kind as a parameter. */
function jsonOf(writes: SignupWrite[], action: SignupWrite['action']): string {
  return JSON.stringify(writes.filter((write) => write.action === action))
}

/**
 * The condition for changing an account: who does not manage accounts (any more) changes only students whom the course
 * has made and who have never opened the account.
 */
function mayUpdateBy(isManager: SQL, course: string | null): SQL {
  return sql`(${isManager} or (${users.role} not in ${rolesThatCan('course.create')}
    and ${isMadeIn(sql`${users.madeInCourseId}`, course)} and not ${isOpened(sql`${users.id}`)}))`
}

/**
 * Ends the sessions, tokens and links of people who get another password or role; with another e-mail only
 * the links, which went to the old one.
 */
function endAccessOfChanged(db: Db, updated: string, mayUpdate: SQL, when: SQL) {
  const gets = sql`w.value ->> 'passwordHash' is not null or ${users.role} <> w.value ->> 'role'`
  const getsOrMoves = sql`${gets} or ${users.email} <> w.value ->> 'email'`
  const who = (changes: SQL) => sql`select ${users.id} from json_each(${updated}) w
    join ${users} on ${users.usernameKey} = lower(w.value ->> 'username')
    where (${changes}) and ${mayUpdate} and ${when}`
  return [
    db
      .delete(sessions)
      .where(sql`${sessions.userId} in (${who(gets)})`)
      .returning({ endedId: sessions.userId }),
    db.delete(apiTokens).where(sql`${apiTokens.userId} in (${who(gets)})`),
    db.delete(accountLinks).where(sql`${accountLinks.userId} in (${who(getsOrMoves)})`),
  ]
}

/** What the statement that ends sessions returns, and no other one. */
const endedRows = z.array(z.object({ endedId: z.int() }))

/** The people whose sessions a batch has ended. @param results of the statements of `storeSignup` */
export function listEnded(results: readonly unknown[]): number[] {
  const rows = results.flatMap((result) => endedRows.safeParse(result).data ?? [])
  return [...new Set(rows.map(({ endedId }) => endedId))]
}
