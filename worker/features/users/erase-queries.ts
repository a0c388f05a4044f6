/** Erasing a person: everything personal goes, the row and the results stay without a name. */
import { and, eq, isNull, sql } from 'drizzle-orm'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import {
  courses,
  loggedMails,
  loginRecords,
  memberships,
  submissions,
  users,
} from '../../db/schema.ts'
import { endAccess } from '../../db/sessions.ts'
import type { Change } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
import { isDispensable, type FoundUser } from './queries.ts'

/**
 * Erases an account. Submissions, judgements and what the person wrote for a course stay under the name `*<id>`.
 * Refused for the last admin, and while the person is the teacher of a course, which would be nobody's.
 */
export async function eraseUser(
  db: Db,
  { id }: FoundUser,
  { actor, ip, now }: Change,
): Promise<void> {
  const teaches = and(eq(courses.teacherId, id), isNull(courses.deletedAt))
  const free = sql`not exists (select 1 from courses t where t.teacher_id = ${id} and t.deleted_at is null)`
  const may = sql`(${isDispensable(id)} and ${free})`
  const [taught, , erased] = await db.batch([
    db.select({ name: courses.name }).from(courses).where(teaches).limit(20),
    // Before the update, which erases the address.
    db
      .delete(loggedMails)
      .where(and(sql`${loggedMails.recipient} = (select email from users where id = ${id})`, may)),
    db
      .update(users)
      .set({
        username: `*${id}`,
        usernameKey: `*${id}`,
        email: `*${id}`,
        displayedName: '',
        bio: '',
        role: 2,
        passwordHash: null,
        active: false,
        disabledAt: now,
      })
      .where(and(eq(users.id, id), may))
      .returning({ id: users.id }),
    insertAudit(db, { actorId: actor.id, action: 'user.erase', subject: String(id), ip, now }, may),
    ...endAccess(db, id, may),
    db.delete(memberships).where(and(eq(memberships.userId, id), may)),
    db.delete(loginRecords).where(and(eq(loginRecords.userId, id), may)),
    db
      .update(submissions)
      .set({ ip: '', idempotencyKey: null })
      .where(and(eq(submissions.userId, id), may)),
  ])
  if (erased.length > 0) return
  const names = taught.map((course) => course.name)
  throw names.length > 0
    ? new AppError('user_teaches', { courses: names })
    : new AppError('last_admin')
}
