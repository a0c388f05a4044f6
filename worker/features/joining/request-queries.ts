/** Lets people in who wait for approval, refuses them, and lets members leave. */
import { and, eq, sql } from 'drizzle-orm'
import type { JoinAnswers } from '#contract/joining'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
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

/** Approves and refuses requests; it skips people who do not wait any more. */
export async function answerRequests(
  db: Db,
  course: CourseStanding,
  { approve, refuse }: JoinAnswers,
  change: Change,
): Promise<void> {
  const { courseId, userId, joinCodeId, state } = joinRequests
  const waits = (names: string[]) => sql`${courseId} = ${course.id} and ${state} = 'waiting'
    and ${userId} in (select ${users.id} from ${users} where ${users.usernameKey} in
      (select lower(value) from json_each(${JSON.stringify(names)})))`
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

/** Ends the caller's own membership. */
export async function leaveCourse(db: Db, course: CourseStanding, change: Change): Promise<void> {
  await db.batch([
    db
      .delete(memberships)
      .where(and(eq(memberships.courseId, course.id), eq(memberships.userId, change.actor.id))),
    raiseVersion(db, course),
    insertAudit(db, change, { action: 'course.leave', subject: course.name }),
  ])
}
