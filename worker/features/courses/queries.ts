/** Reads courses and their members. */
import { and, eq, gte, isNull, ne, sql, type SQL } from 'drizzle-orm'
import type { CourseDetail, CourseItem } from '#contract/courses'
import { PUBLIC_COURSE } from '#contract/fields'
import { COURSE_RESTORE_SECONDS } from '#contract/limits'
import { can, roleCan } from '#contract/roles'
import { named, type Db } from '../../db/client.ts'
import { toUserInfo, userInfoColumns } from '../../db/people.ts'
import { courses, memberships, users } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import {
  ownMembership,
  standingOf,
  teaches,
  toCourseRole,
  type CourseStanding,
} from '../../db/standing.ts'

/** Courses with their teacher and the caller's standing, by name. Nobody has so many that sorting matters. */
async function selectCourses(db: Db, user: SessionUser, which: SQL | undefined) {
  const rows = await db
    .select({
      course: courses.name,
      deletedAt: courses.deletedAt,
      teacher: userInfoColumns(users),
      standing: standingOf(user),
    })
    .from(courses)
    .leftJoin(users, eq(users.id, courses.teacherId))
    .leftJoin(memberships, ownMembership(user))
    .where(and(ne(courses.name, PUBLIC_COURSE), which))
  return rows
    .map(({ standing, teacher, ...row }) => ({
      ...row,
      teacher: toUserInfo(teacher),
      role: toCourseRole(standing),
    }))
    .toSorted((left, right) => (left.course < right.course ? -1 : 1))
}

/** The condition for courses that a person teaches or is a member of, each found by an index. */
function isIn(user: SessionUser): SQL {
  return sql`${courses.id} in (select ${courses.id} from ${courses} where ${teaches(user)}
    union all select ${memberships.courseId} from ${memberships} where ${memberships.userId} = ${user.id})`
}

/** The caller's courses by name; for an admin all. */
export async function listCourses(db: Db, user: SessionUser): Promise<CourseItem[]> {
  const mine = roleCan(user.role, 'course.readAll') ? undefined : isIn(user)
  const rows = await selectCourses(db, user, and(isNull(courses.deletedAt), mine))
  return rows.map(({ course, teacher, role }) => ({ course, teacher, role }))
}

/** The deleted courses that the caller can still restore. */
export async function listRestorable(
  db: Db,
  user: SessionUser,
  now: number,
): Promise<CourseItem[]> {
  const isOwn = roleCan(user.role, 'course.readAll') ? undefined : teaches(user)
  const isRecent = gte(courses.deletedAt, now - COURSE_RESTORE_SECONDS)
  const rows = await selectCourses(db, user, and(isRecent, isOwn))
  return rows.map(({ deletedAt, ...course }) => ({ ...course, deletedAt: deletedAt ?? undefined }))
}

/** A course with everyone in it. */
export async function getCourse(db: Db, course: CourseStanding): Promise<CourseDetail> {
  const [teachers, members] = await db.batch([
    db
      .select(userInfoColumns(users))
      .from(users)
      .where(eq(users.id, course.teacherId ?? 0)),
    db
      .select({
        ...named(userInfoColumns(users)),
        ...named({ courseRole: memberships.role, emailConfirmedAt: users.emailConfirmedAt }),
      })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(eq(memberships.courseId, course.id)),
  ])
  const byName = members.toSorted((left, right) =>
    left.username.toLowerCase() < right.username.toLowerCase() ? -1 : 1,
  )
  const withRole = (courseRole: 'ta' | 'student') =>
    byName.filter((member) => member.courseRole === courseRole).map(userInfoColumns)
  return {
    course: course.name,
    teacher: toUserInfo(teachers[0] ?? null),
    TAs: withRole('ta'),
    students: withRole('student'),
    role: toCourseRole(course.standing),
    timeZone: course.timeZone,
    ...(can(course.standing, 'submission.readAll') && {
      unconfirmed: byName
        .filter(({ emailConfirmedAt }) => emailConfirmedAt === null)
        .map(({ username }) => username),
    }),
  }
}
