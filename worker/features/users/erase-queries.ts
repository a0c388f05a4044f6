/** Erases a person: deletes everything personal. The account's row and the results stay without a name. */
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import { ROLES } from '#contract/roles'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import {
  askedLateDays,
  auditEntries,
  calendarLinks,
  courses,
  heldMarks,
  hintAnswers,
  homeworkOverrides,
  joinCodes,
  joinRequests,
  judgements,
  keptMarks,
  loggedMails,
  loginRecords,
  markSettings,
  memberships,
  noticeMails,
  notices,
  noticeSettings,
  questionMessages,
  questions,
  savedReplies,
  staffPoints,
  submissions,
  users,
} from '../../db/schema.ts'
import { endAccess } from '../../db/sessions.ts'
import type { Change } from '../../http/change.ts'
import { isRunOf } from '../submissions/sample-run-queries.ts'
import { isDispensable, type UserRow } from './queries.ts'

/**
 * The statements that remove a person's IP addresses from the audit log. They also remove the detail of entries with the person's
 * User-Agent, or with the person's name: as the new teacher of a course, or among those whose dates, points, labels or marks staff changed or looked at. The entries still say who did what to what, and when. These
 * statements come after the one that adds the entry of the erasing itself, so that people who erase themselves leave no address.
 */
function forgetInAudit(db: Db, { id, usernameKey }: Pick<UserRow, 'id' | 'usernameKey'>) {
  const { actorId, action, subject, detail, ip } = auditEntries
  const forget = (what: { ip?: ''; detail?: SQL | Record<string, never> }, which: SQL) =>
    db.update(auditEntries).set(what).where(which)
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
    forget(
      { detail: {} },
      sql`${action} in ('homework.override', 'homework.override.remove', 'homework.marks.confirm', 'homework.points', 'course.labels')
        and exists (select 1 from json_each(${detail}, '$.usernames') where lower(value) = ${usernameKey})`,
    ),
    forget(
      { detail: {} },
      sql`${action} in ('mark.set', 'mark.keep', 'mark.hold', 'mark.release', 'marks.view') and lower(${detail} ->> 'username') = ${usernameKey}`,
    ),
  ] as const
}

/**
 * Erases an account. Submissions, judgements and the person's texts in courses and in other people's questions stay under the name
 * `*<id>`. The person's own questions are deleted with their answers. It refuses the last admin, and the teacher of a course, which
 * would be left without a teacher.
 */
export async function eraseUser(
  db: Db,
  { id, usernameKey }: UserRow,
  change: Change,
): Promise<void> {
  const { now } = change
  const isTaught = and(eq(courses.teacherId, id), isNull(courses.deletedAt))
  const taught = sql`select ${courses.name} from ${courses} where ${isTaught}`
  await db.batch([
    demand(
      db,
      'user_teaches',
      sql`not exists (${taught})`,
      sql`json_object('courses', (select json_group_array(name) from (${taught} limit 20)))`,
    ),
    demand(db, 'last_admin', isDispensable(id)),
    // The mails are found by the address, so they are deleted before the update erases it.
    db
      .delete(loggedMails)
      .where(
        sql`${loggedMails.recipient} = (select ${users.email} from ${users} where ${users.id} = ${id})`,
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
        confirmDueAt: null,
        linkDueAt: null,
      })
      .where(eq(users.id, id)),
    insertAudit(db, change, { action: 'user.erase', subject: String(id) }),
    ...endAccess(db, id),
    // An invitation has the address of the person who came by it.
    db
      .update(joinCodes)
      .set({ email: null })
      .where(
        sql`${joinCodes.id} in (select ${memberships.joinCodeId} from ${memberships} where ${memberships.userId} = ${id})`,
      ),
    // Computed marks go with the membership.
    db.delete(memberships).where(eq(memberships.userId, id)),
    db.delete(joinRequests).where(eq(joinRequests.userId, id)),
    db.delete(notices).where(eq(notices.userId, id)),
    db.delete(noticeMails).where(eq(noticeMails.userId, id)),
    db.delete(noticeSettings).where(eq(noticeSettings.userId, id)),
    db.delete(loginRecords).where(eq(loginRecords.userId, id)),
    db.delete(judgements).where(isRunOf(id)),
    db.update(submissions).set({ ip: '', idempotencyKey: null }).where(eq(submissions.userId, id)),
    db.delete(questions).where(eq(questions.studentId, id)),
    db
      .update(questionMessages)
      .set({ idempotencyKey: questionMessages.id })
      .where(eq(questionMessages.authorId, id)),
    db.delete(hintAnswers).where(eq(hintAnswers.userId, id)),
    db.delete(savedReplies).where(eq(savedReplies.userId, id)),
    // The reasons and comments of staff may tell of an illness.
    db.delete(homeworkOverrides).where(eq(homeworkOverrides.userId, id)),
    db.delete(staffPoints).where(eq(staffPoints.userId, id)),
    db.delete(keptMarks).where(eq(keptMarks.userId, id)),
    db.delete(askedLateDays).where(eq(askedLateDays.userId, id)),
    db.delete(calendarLinks).where(eq(calendarLinks.userId, id)),
    db.delete(markSettings).where(eq(markSettings.userId, id)),
    db.delete(heldMarks).where(eq(heldMarks.userId, id)),
    ...forgetInAudit(db, { id, usernameKey }),
  ])
}
