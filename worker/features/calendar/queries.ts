/** Secret links of calendar feeds, and the due times that a feed tells. */
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { calendarLinks, courses, homeworkDates, homeworks, users } from '../../db/schema.ts'
import { selectOwnCourses } from '../../db/standing.ts'
import type { Change } from '../../http/change.ts'
import { newSecret, sha256Hex } from '../../lib/ids.ts'

/** When a person's link was made; null without one. */
export async function findLinkTime(db: Db, userId: number): Promise<number | null> {
  const row = await db
    .select({ createdAt: calendarLinks.createdAt })
    .from(calendarLinks)
    .where(eq(calendarLinks.userId, userId))
    .get()
  return row?.createdAt ?? null
}

/** Makes a person's link in place of the earlier one. @returns its token, which is not kept */
export async function makeLink(db: Db, change: Change): Promise<string> {
  const token = newSecret()
  const row = { tokenHash: await sha256Hex(token), createdAt: change.now }
  const { id } = change.actor
  await db.batch([
    db
      .insert(calendarLinks)
      .values({ userId: id, ...row })
      .onConflictDoUpdate({ target: calendarLinks.userId, set: row }),
    insertAudit(db, change, { action: 'calendar.create', subject: String(id) }),
  ])
  return token
}

/** Ends a person's link. */
export async function endLink(db: Db, change: Change): Promise<void> {
  const { id } = change.actor
  await db.batch([
    db.delete(calendarLinks).where(eq(calendarLinks.userId, id)),
    insertAudit(db, change, { action: 'calendar.delete', subject: String(id) }),
  ])
}

/** The active owner of a link. */
export async function findLinkOwner(db: Db, token: string) {
  return db
    .select({ id: users.id, role: users.role })
    .from(calendarLinks)
    .innerJoin(users, eq(users.id, calendarLinks.userId))
    .where(and(eq(calendarLinks.tokenHash, await sha256Hex(token)), eq(users.active, true)))
    .get()
}

/** The homeworks of a person's courses with the person's due times, the earliest first; without those that the person is excused from. */
export async function listDueTimes(
  db: Db,
  { id, role }: Pick<typeof users.$inferSelect, 'id' | 'role'>,
) {
  return db
    .select({
      id: homeworks.id,
      name: homeworks.name,
      course: courses.name,
      due: homeworkDates.due,
      updatedAt: homeworks.updatedAt,
    })
    .from(courses)
    .innerJoin(homeworks, eq(homeworks.courseId, courses.id))
    .innerJoin(
      homeworkDates,
      and(eq(homeworkDates.homeworkId, homeworks.id), eq(homeworkDates.userId, id)),
    )
    .where(
      and(
        isNull(courses.deletedAt),
        isNull(courses.closedAt),
        sql`${courses.id} in (${selectOwnCourses({ id, role }, 'course.read')})`,
        eq(homeworkDates.excused, false),
      ),
    )
    .orderBy(asc(homeworkDates.due), asc(homeworks.id))
}
export type DueTime = Awaited<ReturnType<typeof listDueTimes>>[number]
