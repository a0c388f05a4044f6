/** SQL of batch sign-up. Whole lists are one JSON parameter each, because D1 takes at most 100 parameters. */
import { and, isNull, sql, type SQL } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { alias } from 'drizzle-orm/sqlite-core'
import * as z from 'zod'
import { ROLES, rolesThatCan, type RoleCode } from '#contract/roles'
import { insertAudit } from '../../../db/audit.ts'
import { rawQuery, type Db } from '../../../db/client.ts'
import { isNamed } from '../../../db/course-names.ts'
import { mayJoin } from '../../../db/identities.ts'
import {
  accountLinks,
  apiTokens,
  auditEntries,
  courses,
  joinRequests,
  memberships,
  sessions,
  users,
} from '../../../db/schema.ts'
import { insertSelect } from '../../../db/statements.ts'

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
export interface SignupWrite {
  action: 'create' | 'update' | 'enrol'
  username: string
  email: string
  displayedName: string | null
  role: RoleCode | null
  passwordHash: string | null
}

/** The accounts that have a row's username or have confirmed a row's e-mail. */
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

/** The condition that an account was made by the course with this name. */
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

/** Who signs up others, into which course, from which IP address. `now` in epoch seconds. */
interface SignupOrigin {
  actorId: number
  course: string | null
  ip: string
  now: number
}

/**
 * The statements of the batch that writes everything: accounts, ended sessions, memberships, the audit
 * entry. An admin vouches for the e-mails of new accounts. A teacher does not: the accounts that a teacher creates have
 * unconfirmed e-mails and belong to the course.
 */
export function storeSignup(
  db: Db,
  writes: SignupWrite[],
  { actorId, course, ip, now }: SignupOrigin,
): [BatchItem<'sqlite'>, ...BatchItem<'sqlite'>[]] {
  const isManager = sql`exists (select 1 from ${users}
    where ${users.id} = ${actorId} and ${users.role} in ${rolesThatCan('users.manage')})`
  const mayUpdate = mayUpdateBy(isManager, course)
  const countOf = (action: SignupWrite['action']): number =>
    writes.filter((write) => write.action === action).length
  const audit = insertAudit(
    db,
    { actor: { id: actorId }, ip, now },
    {
      action: 'user.batch_signup',
      // The course's name as stored, not as typed.
      subject: sql`coalesce((select ${courses.name} from ${courses} where ${isNamed(course)}), '')`,
      detail: {
        created: countOf('create'),
        updated: countOf('update'),
        enrolled: countOf('enrol'),
      },
    },
  )
  const updated = jsonOf(writes, 'update')
  return [
    audit,
    // An edit of the course that is open in a browser shows its former members, so the course's version changes.
    ...(course === null || writes.length === 0
      ? []
      : [
          db
            .update(courses)
            .set({ version: sql`${courses.version} + 1` })
            .where(and(isNamed(course), isNull(courses.deletedAt))),
        ]),
    createAccounts(db, jsonOf(writes, 'create'), isManager, { course, now }),
    ...endAccessOfChanged(db, updated, mayUpdate),
    updateAccounts(db, updated, isManager, mayUpdate),
    ...enrolAll(db, writes, { course, now }),
  ]
}

/** The course into which accounts are written, and the time. */
type SignupTarget = Pick<SignupOrigin, 'course' | 'now'>

function createAccounts(db: Db, created: string, isManager: SQL, { course, now }: SignupTarget) {
  return insertSelect(
    db,
    users,
    {
      username: sql`value ->> 'username'`,
      usernameKey: sql`lower(value ->> 'username')`,
      email: sql`value ->> 'email'`,
      displayedName: sql`coalesce(value ->> 'displayedName', value ->> 'username')`,
      bio: '',
      role: sql`iif(${isManager}, coalesce(value ->> 'role', ${ROLES.student}), ${ROLES.student})`,
      passwordHash: sql`value ->> 'passwordHash'`,
      // An account without a password waits for its mailed link.
      active: sql`value ->> 'passwordHash' is not null`,
      linkDueAt: sql`iif(value ->> 'passwordHash' is null, ${now}, null)`,
      createdAt: now,
      emailConfirmedAt: sql`iif(${isManager}, ${now}, null)`,
      madeInCourseId: sql`iif(${isManager}, null, (select ${courses.id} from ${courses}
          where ${isNamed(course)} and ${courses.deletedAt} is null))`,
    },
    sql`from json_each(${created})`,
  )
}

function updateAccounts(db: Db, updated: string, isManager: SQL, mayUpdate: SQL) {
  return db
    .update(users)
    .set({
      displayedName: sql`coalesce(w.value ->> 'displayedName', ${users.displayedName})`,
      email: sql`iif(${isManager}, w.value ->> 'email', ${users.email})`,
      // If an admin gives the account a new address, the course that made the account no longer manages it.
      madeInCourseId: sql`iif(${isManager} and ${users.email} <> w.value ->> 'email', null, ${users.madeInCourseId})`,
      role: sql`iif(${isManager}, coalesce(w.value ->> 'role', ${users.role}), ${users.role})`,
      passwordHash: sql`coalesce(w.value ->> 'passwordHash', ${users.passwordHash})`,
      // An account that gets a password becomes active, so it needs no mailed link.
      active: sql`iif(w.value ->> 'passwordHash' is not null and ${users.disabledAt} is null, 1, ${users.active})`,
    })
    .from(sql`json_each(${updated}) w`)
    .where(sql`${users.usernameKey} = lower(w.value ->> 'username') and ${mayUpdate}`)
}

function enrolAll(db: Db, writes: SignupWrite[], { course, now }: SignupTarget) {
  const everyone = JSON.stringify(writes.map((write) => write.username.toLowerCase()))
  return [
    insertSelect(
      db,
      memberships,
      { courseId: courses.id, userId: users.id, role: 'student', joinedAt: now },
      sql`from ${courses}, ${users}
        where ${isNamed(course)} and ${courses.deletedAt} is null
          and ${users.id} is not ${courses.teacherId}
          and ${users.usernameKey} in (select value from json_each(${everyone}))
          and ${mayJoin(sql`${courses.id}`, sql`'student'`)} on conflict do nothing`,
    ),
    // Who is enrolled waits no more, and was added again if staff had removed them.
    db.delete(joinRequests).where(
      sql`(${joinRequests.courseId}, ${joinRequests.userId}) in (select ${memberships.courseId}, ${memberships.userId}
        from ${memberships} join ${users} on ${users.id} = ${memberships.userId}
        where ${memberships.courseId} = (select ${courses.id} from ${courses} where ${isNamed(course)} and ${courses.deletedAt} is null)
          and ${users.usernameKey} in (select value from json_each(${everyone})))`,
    ),
  ]
}

/** Whether storing failed because a username or an e-mail was taken in the meantime. */
export function isUniqueViolation(error: unknown): boolean {
  const cause = error instanceof Error ? String(error.cause) : ''
  return /UNIQUE constraint failed: users/.test(`${String(error)} ${cause}`)
}

/** All writes with one action, as a JSON parameter. */
function jsonOf(writes: SignupWrite[], action: SignupWrite['action']): string {
  return JSON.stringify(writes.filter((write) => write.action === action))
}

/**
 * The condition for changing an account. An actor who does not manage accounts (any more) changes only accounts of students
 * that the course has made and that have never been opened.
 */
function mayUpdateBy(isManager: SQL, course: string | null): SQL {
  return sql`(${isManager} or (${users.role} not in ${rolesThatCan('course.create')}
    and ${isMadeIn(sql`${users.madeInCourseId}`, course)} and not ${isOpened(sql`${users.id}`)}))`
}

/**
 * Ends the sessions, tokens and links of people who get another password or role. People who get another e-mail lose only the
 * links, which went to the old address.
 */
function endAccessOfChanged(db: Db, updated: string, mayUpdate: SQL) {
  const gets = sql`w.value ->> 'passwordHash' is not null or ${users.role} <> w.value ->> 'role'`
  const getsOrMoves = sql`${gets} or ${users.email} <> w.value ->> 'email'`
  const who = (changes: SQL) => sql`select ${users.id} from json_each(${updated}) w
    join ${users} on ${users.usernameKey} = lower(w.value ->> 'username')
    where (${changes}) and ${mayUpdate}`
  return [
    db
      .delete(sessions)
      .where(sql`${sessions.userId} in (${who(gets)})`)
      .returning({ endedId: sessions.userId }),
    db.delete(apiTokens).where(sql`${apiTokens.userId} in (${who(gets)})`),
    db.delete(accountLinks).where(sql`${accountLinks.userId} in (${who(getsOrMoves)})`),
  ]
}

/** The rows of the statement that ends sessions; no other statement returns such rows. */
const endedRows = z.array(z.object({ endedId: z.int() }))

/** The people whose sessions a batch has ended. @param results the results of the statements of `storeSignup` */
export function listEnded(results: readonly unknown[]): number[] {
  const rows = results.flatMap((result) => endedRows.safeParse(result).data ?? [])
  return [...new Set(rows.map(({ endedId }) => endedId))]
}
