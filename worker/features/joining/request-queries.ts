/** Lets people in who wait for approval, refuses them, and lets members leave. */
import { and, eq, sql } from 'drizzle-orm'
import type { JoinAnswers } from '#contract/joining'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { insertNotice } from '../../db/notices.ts'
import {
  courses,
  joinCodes,
  joinRequests,
  memberLabels,
  memberships,
  users,
} from '../../db/schema.ts'
import type { CourseStanding } from '../../db/standing.ts'
import { insertSelect } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'

/** The statement that makes edits of the members stale that were begun before. */
function raiseVersion(db: Db, { id }: CourseStanding) {
  return db
    .update(courses)
    .set({ version: sql`${courses.version} + 1` })
    .where(eq(courses.id, id))
}

/** Selects the ids of the people with these names. */
export function selectNamed(names: readonly string[]) {
  const keys = JSON.stringify(names.map((name) => name.toLowerCase()))
  return sql`select ${users.id} from ${users} where ${users.usernameKey} in (select value from json_each(${keys}))`
}

/** Approves and refuses requests, and tells whom it lets in; it skips people who do not wait any more. */
export async function answerRequests(
  db: Db,
  course: CourseStanding,
  { approve, refuse }: JoinAnswers,
  change: Change,
): Promise<void> {
  const { courseId, userId, joinCodeId, state } = joinRequests
  const waits = (names: string[]) =>
    sql`${courseId} = ${course.id} and ${state} = 'waiting' and ${userId} in (${selectNamed(names)})`
  await db.batch([
    insertSelect(
      db,
      memberships,
      { courseId, userId, role: 'student', joinedAt: change.now, joinCodeId },
      sql`from ${joinRequests} where ${waits(approve)} and ${userId} is not ${course.teacherId} on conflict do nothing`,
    ),
    insertSelect(
      db,
      memberLabels,
      { courseId, userId, labelId: sql<number>`${joinCodes.labelId}` },
      sql`from ${joinRequests} join ${joinCodes} on ${joinCodes.id} = ${joinCodeId}
        where ${waits(approve)} and ${userId} is not ${course.teacherId}
          and ${joinCodes.labelId} is not null on conflict do nothing`,
    ),
    ...insertNotice(db, {
      kind: 'let_in',
      courseId: course.id,
      timeZone: course.timeZone,
      subjectId: null,
      actorId: change.actor.id,
      now: change.now,
      userId: sql`select ${userId} from ${joinRequests} where ${waits(approve)}`,
    }),
    db.delete(joinRequests).where(waits(approve)),
    db.update(joinRequests).set({ state: 'refused' }).where(waits(refuse)),
    raiseVersion(db, course),
    insertAudit(db, change, {
      action: 'course.join_requests',
      subject: course.name,
      detail: { approved: approve.length, refused: refuse.length },
    }),
  ])
}

/** Ends the caller's own membership. The place that their code had for them is free again, so that coming and going fills no code. */
export async function leaveCourse(db: Db, course: CourseStanding, change: Change): Promise<void> {
  const isOwn = and(eq(memberships.courseId, course.id), eq(memberships.userId, change.actor.id))
  await db.batch([
    db
      .update(joinCodes)
      .set({ joined: sql`${joinCodes.joined} - 1` })
      .where(
        sql`${joinCodes.id} = (select ${memberships.joinCodeId} from ${memberships} where ${isOwn})`,
      ),
    db.delete(memberships).where(isOwn),
    raiseVersion(db, course),
    insertAudit(db, change, { action: 'course.leave', subject: course.name }),
  ])
}
