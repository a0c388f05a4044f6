/** Erases a person: everything personal goes; the row and the results stay without a name. */
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import { ROLES } from '#contract/roles'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import {
  auditEntries,
  courses,
  loggedMails,
  loginRecords,
  memberships,
  operations,
  questionMessages,
  questions,
  savedReplies,
  sampleRuns,
  submissions,
  users,
} from '../../db/schema.ts'
import { endAccess } from '../../db/sessions.ts'
import type { Change } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
import { isDispensable, type UserRow } from './queries.ts'

/**
 * The statements that remove a person's addresses from the audit log, and the whole detail of entries with
 * their User-Agent or, where others gave them a course, their name. Who did what to what, and when, stays.
 * They come after the entry of the erasing itself: who erases themselves leaves no address either.
 */
function forgetInAudit(db: Db, { id, usernameKey }: Pick<UserRow, 'id' | 'usernameKey'>, may: SQL) {
  const { actorId, action, subject, detail, ip } = auditEntries
  const forget = (what: { ip?: ''; detail?: SQL | Record<string, never> }, which: SQL) =>
    db.update(auditEntries).set(what).where(and(which, may))
  return [
    forget(
      { detail: sql`iif(${detail} ->> 'agent' is null, ${detail}, '{}')`, ip: '' },
      sql`${actorId} = ${id} and (${ip} <> '' or ${detail} ->> 'agent' is not null)`,
    ),
    forget(
      { ip: '' },
      sql`${action} = 'user.password_recovery' and ${subject} = ${String(id)} and ${ip} <> ''`,
    ),
    forget(
      { detail: {} },
      sql`${action} = 'course.edit' and lower(${detail} ->> 'teacher') = ${usernameKey}`,
    ),
  ] as const
}

/**
 * The statement that deletes batch sign-ups whose outcome names a person; a finished operation is only
 * there to be read.
 */
function forgetSignups(db: Db, usernameKey: string, may: SQL) {
  return db.delete(operations).where(
    sql`${operations.kind} = 'batch_signup' and ${operations.finishedAt} is not null and ${may}
      and (instr(lower(${operations.result}), ${`"username":"${usernameKey}"`}) > 0
        or instr(lower(${operations.error}), ${` ${usernameKey} (line `}) > 0)`,
  )
}

/**
 * Erases an account. Submissions, judgements and what the person wrote for a course stay under the name
 * `*<id>`, answers to others' questions too; the person's own questions go, with what staff wrote in them.
 * Refused for the last admin, and for the teacher of a course, which would have none.
 */
export async function eraseUser(
  db: Db,
  { id, usernameKey }: UserRow,
  change: Change,
): Promise<void> {
  const { now } = change
  const teaches = and(eq(courses.teacherId, id), isNull(courses.deletedAt))
  const free = sql`not exists (select 1 from ${courses} where ${courses.teacherId} = ${id} and ${courses.deletedAt} is null)`
  const may = sql`(${isDispensable(id)} and ${free})`
  const [taught, , erased] = await db.batch([
    db.select({ name: courses.name }).from(courses).where(teaches).limit(20),
    // Before the update, which erases the address.
    db
      .delete(loggedMails)
      .where(
        and(
          sql`${loggedMails.recipient} = (select ${users.email} from ${users} where ${users.id} = ${id})`,
          may,
        ),
      ),
    db
      .update(users)
      .set({
        username: `*${id}`,
        usernameKey: `*${id}`,
        email: `*${id}`,
        emailConfirmedAt: null,
        madeInCourseId: null,
        displayedName: '',
        bio: '',
        role: ROLES.student,
        passwordHash: null,
        active: false,
        disabledAt: now,
      })
      .where(and(eq(users.id, id), may))
      .returning({ id: users.id }),
    insertAudit(db, change, { action: 'user.erase', subject: String(id), when: may }),
    ...endAccess(db, id, may),
    db.delete(memberships).where(and(eq(memberships.userId, id), may)),
    db.delete(loginRecords).where(and(eq(loginRecords.userId, id), may)),
    db.delete(sampleRuns).where(and(eq(sampleRuns.userId, id), may)),
    db
      .update(submissions)
      .set({ ip: '', idempotencyKey: null })
      .where(and(eq(submissions.userId, id), may)),
    db.delete(questions).where(and(eq(questions.studentId, id), may)),
    db
      .update(questionMessages)
      .set({ idempotencyKey: questionMessages.id })
      .where(and(eq(questionMessages.authorId, id), may)),
    db.delete(savedReplies).where(and(eq(savedReplies.userId, id), may)),
    ...forgetInAudit(db, { id, usernameKey }, may),
    forgetSignups(db, usernameKey, may),
  ])
  if (erased.length > 0) return
  const names = taught.map((course) => course.name)
  throw names.length > 0
    ? new AppError('user_teaches', { courses: names })
    : new AppError('last_admin')
}
