/** SQL of the batch sign-up: whole lists travel as one JSON parameter, because D1 takes 100 parameters at most. */
import { asc, eq, sql, type SQL } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import * as z from 'zod'
import { roleCode, type RoleCode } from '#contract/roles'
import { insertAudit } from '../../db/audit.ts'
import { execute, type Db } from '../../db/client.ts'
import { mayJoin } from '../../db/identities.ts'
import {
  accountLinks,
  apiTokens,
  courses,
  memberships,
  sessions,
  signupHashes,
  users,
} from '../../db/schema.ts'

/**
 * An account one of the rows is about: it has the row's username, or has confirmed the row's e-mail. `courseRole`: what it
 * is in the course the rows go to; `madeHere`: whether that course's teacher made it; `elsewhere`: whether it is in a
 * course that is not the actor's; `isOpened`: whether its owner ever signed in or confirmed the e-mail.
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

/** What one row changes. Null keeps what there is, or means the default of a new account. */
export const signupWrite = z.object({
  action: z.enum(['create', 'update', 'enrol']),
  username: z.string(),
  email: z.string(),
  displayedName: z.string().nullable(),
  role: roleCode.nullable(),
  passwordHash: z.string().nullable(),
})
export type SignupWrite = z.infer<typeof signupWrite>

/** Rows in one JSON parameter: with the longest names they stay well below the 2 MB that D1 takes. */
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
  return execute<ExistingUser>(
    db,
    sql`
    select ${users.id} as id, ${users.usernameKey} as usernameKey, ${users.email} as email,
      ${users.emailConfirmedAt} is not null as confirmed, ${users.role} as role,
      (select case when c.teacher_id = users.id then 'ta' else m.role end
        from courses c left join memberships m on m.course_id = c.id and m.user_id = users.id
        where c.name = ${course} and c.deleted_at is null) as courseRole,
      ${isMadeIn(sql`${users.madeInCourseId}`, course)} as madeHere,
      exists (select 1 from memberships o join courses oc on oc.id = o.course_id
        where o.user_id = users.id and oc.teacher_id is not ${actorId}) as elsewhere,
      ${isOpened(sql`users.id`)} as isOpened
    from ${users}
    where ${users.usernameKey} in (select value from json_each(${keys}))
      or (${users.email} in (select value from json_each(${emails})) and ${users.emailConfirmedAt} is not null)`,
  )
}

/** The condition that the course of a name, as it is called now, made an account. */
function isMadeIn(madeInCourseId: SQL, course: string | null): SQL {
  return sql`exists (select 1 from courses mc where mc.id = ${madeInCourseId}
    and mc.name = ${course} and mc.deleted_at is null)`
}

/** The condition that somebody has signed in to an account, or has confirmed its e-mail. */
function isOpened(userId: SQL): SQL {
  return sql`(exists (select 1 from audit_entries r where r.actor_id = ${userId} and r.action = 'session.begin')
    or exists (select 1 from users ou where ou.id = ${userId} and ou.email_confirmed_at is not null))`
}

/** Who signs up whom into what. `now` in epoch seconds. */
interface SignupOrigin {
  actorId: number
  course: string | null
  ip: string
  now: number
}

/**
 * The statements of one batch that writes everything: accounts, ended sessions, memberships, the audit entry. An admin
 * vouches for the e-mails of the accounts so made; those of a teacher are claims, and theirs are of the course.
 * @param when a condition that all of them share
 */
export function storeSignup(
  db: Db,
  writes: SignupWrite[],
  { actorId, course, ip, now }: SignupOrigin,
  when: SQL = sql`1`,
): [BatchItem<'sqlite'>, ...BatchItem<'sqlite'>[]] {
  const isAdmin = sql`exists (select 1 from users a where a.id = ${actorId} and a.role = 0)`
  const mayUpdate = (user: SQL) => mayUpdateBy(user, isAdmin, course)
  const chunks = Array.from({ length: Math.ceil(writes.length / ROWS_PER_STATEMENT) }, (_, index) =>
    writes.slice(index * ROWS_PER_STATEMENT, (index + 1) * ROWS_PER_STATEMENT),
  )
  const countOf = (action: SignupWrite['action']): number =>
    writes.filter((write) => write.action === action).length
  const audit = insertAudit(
    db,
    {
      actorId,
      action: 'user.batch_signup',
      subject: course ?? '',
      detail: {
        created: countOf('create'),
        updated: countOf('update'),
        enrolled: countOf('enrol'),
      },
      ip,
      now,
    },
    when,
  )
  return [
    audit,
    // Whoever edits the course has seen other members.
    ...(course === null || writes.length === 0
      ? []
      : [
          execute(
            db,
            sql`update ${courses} set version = version + 1 where name = ${course} and deleted_at is null and ${when}`,
          ),
        ]),
    ...chunks.flatMap((chunk) => {
      const created = jsonOf(chunk, 'create')
      const updated = jsonOf(chunk, 'update')
      const everyone = JSON.stringify(chunk.map((write) => write.username.toLowerCase()))
      return [
        execute(
          db,
          sql`insert into ${users} (username, username_key, email, displayed_name, bio, role, password_hash, active, created_at,
            email_confirmed_at, made_in_course_id)
          select value ->> 'username', lower(value ->> 'username'), value ->> 'email',
            coalesce(value ->> 'displayedName', value ->> 'username'), '', coalesce(value ->> 'role', 2),
            value ->> 'passwordHash', 1, ${now}, iif(${isAdmin}, ${now}, null),
            iif(${isAdmin}, null, (select id from courses where name = ${course} and deleted_at is null))
          from json_each(${created}) where ${when}`,
        ),
        ...endAccessOfChanged(db, updated, mayUpdate, when),
        execute(
          db,
          sql`update ${users} set
            displayed_name = coalesce(w.value ->> 'displayedName', displayed_name),
            email = iif(${isAdmin}, w.value ->> 'email', email), role = coalesce(w.value ->> 'role', role),
            password_hash = coalesce(w.value ->> 'passwordHash', password_hash)
          from json_each(${updated}) w where username_key = lower(w.value ->> 'username')
            and ${mayUpdate(sql`users`)} and ${when}`,
        ),
        execute(
          db,
          sql`insert or ignore into ${memberships} (course_id, user_id, role, joined_at)
          select c.id, u.id, 'student', ${now} from ${courses} c, ${users} u
          where c.name = ${course} and c.deleted_at is null and u.id is not c.teacher_id
            and u.username_key in (select value from json_each(${everyone}))
            and ${mayJoin(sql`c.id`, sql`'student'`)} and ${when}`,
        ),
      ]
    }),
  ]
}

/** Whether storing failed because a username or an e-mail was taken in the meantime. */
export function isTaken(error: unknown): boolean {
  const cause = error instanceof Error ? String(error.cause) : ''
  return /UNIQUE constraint failed: users/.test(`${String(error)} ${cause}`)
}

/** The writes of one kind as a parameter. */
function jsonOf(writes: SignupWrite[], action: SignupWrite['action']): string {
  return JSON.stringify(writes.filter((write) => write.action === action))
}

/**
 * Condition for changing an account: whoever is no admin (any more) changes students only whom the course has made and
 * who have never opened the account.
 */
function mayUpdateBy(user: SQL, isAdmin: SQL, course: string | null): SQL {
  return sql`(${isAdmin} or (${user}.role = 2 and ${isMadeIn(sql`${user}.made_in_course_id`, course)}
    and not ${isOpened(sql`${user}.id`)}))`
}

/**
 * Ends the sessions, tokens and links of those who are about to get another password or role;
 * with another e-mail only the links, which went to the old one.
 */
function endAccessOfChanged(db: Db, updated: string, mayUpdate: (user: SQL) => SQL, when: SQL) {
  const gets = sql`w.value ->> 'passwordHash' is not null or u.role <> w.value ->> 'role'`
  const getsOrMoves = sql`${gets} or u.email <> w.value ->> 'email'`
  const who = (changes: SQL) => sql`select u.id from json_each(${updated}) w
    join users u on u.username_key = lower(w.value ->> 'username')
    where (${changes}) and ${mayUpdate(sql`u`)} and ${when}`
  return [
    execute(db, sql`delete from ${sessions} where user_id in (${who(gets)})`),
    execute(db, sql`delete from ${apiTokens} where user_id in (${who(gets)})`),
    execute(db, sql`delete from ${accountLinks} where user_id in (${who(getsOrMoves)})`),
  ]
}

/** The statement that stores the hashes of a step. The same step again replaces them. */
export function insertHashes(
  db: Db,
  operationId: string,
  hashes: { position: number; passwordHash: string }[],
) {
  return execute(
    db,
    sql`insert or replace into ${signupHashes} (job_id, position, password_hash)
      select ${operationId}, value ->> 'position', value ->> 'passwordHash' from json_each(${JSON.stringify(hashes)})`,
  )
}

/** The hashes of an operation in the order of its writes. */
export async function listHashes(db: Db, operationId: string) {
  return db
    .select({ position: signupHashes.position, passwordHash: signupHashes.passwordHash })
    .from(signupHashes)
    .where(eq(signupHashes.operationId, operationId))
    .orderBy(asc(signupHashes.position))
}

/** Of these keys of locked plans, those of operations that are still to be done: `signups/<operation>`. */
export async function listOpenSignups(db: Db, keys: string[]): Promise<string[]> {
  const rows = await execute<{ key: string }>(
    db,
    sql`select k.value as key from json_each(${JSON.stringify(keys)}) k
      cross join jobs j on j.id = substr(k.value, 9) and j.finished_at is null`,
  )
  return rows.map((row) => row.key)
}

/** Forgets the hashes of operations that ended without storing them; for the sweeper. */
export async function deleteLeftHashes(db: Db): Promise<void> {
  await execute(
    db,
    sql`delete from ${signupHashes} where not exists
      (select 1 from jobs j where j.id = job_id and j.finished_at is null)`,
  )
}

/** The statement that forgets them. */
export function deleteHashes(db: Db, operationId: string) {
  return db.delete(signupHashes).where(eq(signupHashes.operationId, operationId))
}
