/** Whose open pages hear of something in a course. */
import { sql } from 'drizzle-orm'
import { LIVE, SESSION_SECONDS } from '#contract/limits'
import { rolesThatCan } from '#contract/roles'
import { execute, type Db } from './client.ts'
import { courses, memberships, sessions, users } from './schema.ts'

/**
 * The ids of a course's people who are signed in, at most `LIVE.told`.
 * @param isStaffOnly without its students
 * @param but whoever knows already
 * @param now epoch seconds
 */
export async function listListeners(
  db: Db,
  courseId: number,
  { isStaffOnly, but }: { isStaffOnly: boolean; but: number },
  now: number,
): Promise<number[]> {
  const isAsked = isStaffOnly ? sql`and ${memberships.role} = 'ta'` : sql``
  const rows = await execute<{ id: number }>(
    db,
    sql`select people.id from (
        select ${memberships.userId} as id from ${memberships} where ${memberships.courseId} = ${courseId} ${isAsked}
        union select ${courses.teacherId} from ${courses} join ${users} on ${users.id} = ${courses.teacherId}
          where ${courses.id} = ${courseId} and ${users.role} in ${rolesThatCan('course.create')}) people
      where people.id <> ${but} and exists (select 1 from ${sessions} where ${sessions.userId} = people.id
        and ${sessions.lastSeenAt} > ${now - SESSION_SECONDS.idle}
        and ${sessions.createdAt} > ${now - SESSION_SECONDS.absolute})
      limit ${LIVE.told}`,
  )
  return rows.map(({ id }) => id)
}
