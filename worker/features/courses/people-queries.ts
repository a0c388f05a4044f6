/** Finds people to add to a course. */
import { sql } from 'drizzle-orm'
import type { UserInfo } from '#contract/fields'
import { roleCan } from '#contract/roles'
import { rawQuery, type Db } from '../../db/client.ts'
import { FIRST_KEY, isSearched, personContains } from '../../db/people.ts'
import { courses, memberships, users } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { selectOwnCourses, type CourseStanding } from '../../db/standing.ts'

/** The most people that a search for new members suggests. */
const SUGGESTED_PEOPLE = 10

/**
 * People who could join a course, by a part of their names or e-mail. A teacher finds only members of the courses they manage. By
 * e-mail they find only accounts that those courses made, so they cannot find out other addresses. Admins find everybody.
 */
export async function findPeople(
  db: Db,
  user: SessionUser,
  course: CourseStanding,
  search: string,
): Promise<UserInfo[]> {
  const own = sql`(select ${courses.id} from ${courses}
    where ${courses.id} in (${selectOwnCourses(user, 'members.manage')}) and ${courses.deletedAt} is null)`
  const findsAll = roleCan(user.role, 'users.manage')
  const isKnown = findsAll
    ? isSearched(sql`${users.usernameKey} >= ${FIRST_KEY}`)
    : sql`${users.id} in (select ${memberships.userId} from ${memberships} where ${memberships.courseId} in ${own})`
  const email = findsAll
    ? sql`${users.email}`
    : sql`iif(${users.madeInCourseId} in ${own}, ${users.email}, '')`
  return rawQuery<UserInfo>(
    db,
    sql`select ${users.username}, ${users.displayedName} as displayedName, ${users.role}
      from ${users}
      where ${isKnown} and ${personContains(search, email)} and ${users.emailConfirmedAt} is not null
        and ${users.id} is not ${course.teacherId}
        and not exists (select 1 from ${memberships} where ${memberships.courseId} = ${course.id} and ${memberships.userId} = ${users.id})
      limit ${SUGGESTED_PEOPLE}`,
  )
}
