/** Reads courses and their members. */
import { and, eq, gte, isNotNull, isNull, ne, sql, type SQL } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import {
  COURSE_STEPS,
  type SentCourseDetail,
  type CourseItem,
  type CourseStep,
} from '#contract/courses'
import { PUBLIC_COURSE } from '#contract/fields'
import { can, roleCan, type Capability } from '#contract/roles'
import { rawQuery, aliasColumns, type Db } from '../../db/client.ts'
import { toUserInfo, userInfoColumns } from '../../db/people.ts'
import { announcements, courses, homeworks, memberships, problems, users } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import {
  ownMembership,
  ownStandingOf,
  selectOwnCourses,
  standingCan,
  standingOf,
  toCourseRole,
  type CourseStanding,
} from '../../db/standing.ts'
import { waitingForStaff, waitingForStudent } from '../../db/waiting-questions.ts'
import { selectLabels, toLabels } from '../labels/queries.ts'

/** How long a deleted course can be restored and keeps its name. Seconds. */
export const COURSE_RESTORE_SECONDS = 30 * 86_400

/** Courses with their teacher and the caller's standing, by name. They are few, so they are sorted here. */
async function selectCourses(db: Db, user: SessionUser, which: SQL | undefined) {
  const rows = await db
    .select({
      course: courses.name,
      closedAt: courses.closedAt,
      deletedAt: courses.deletedAt,
      teacher: userInfoColumns(users),
      standing: standingOf(user),
      // An admin lists all courses, but sees the questions that wait for staff only in their own.
      waitingQuestions: sql<number>`case when ${courses.deletedAt} is not null then 0
        when ${standingCan(ownStandingOf(user), 'question.answer')} then ${waitingForStaff(user.id, courses.id, standingCan(ownStandingOf(user), 'course.manage'))}
        else ${waitingForStudent(user.id, courses.id)} end`,
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

/** Row → contract: times that are not set are absent. */
function toItem({
  closedAt,
  deletedAt,
  ...course
}: Awaited<ReturnType<typeof selectCourses>>[number]): CourseItem {
  return { ...course, closedAt: closedAt ?? undefined, deletedAt: deletedAt ?? undefined }
}

/** The condition for the courses where a person has a capability; undefined if the person has it in all courses. */
export function isWhere(user: SessionUser, capability: Capability): SQL | undefined {
  return roleCan(user.role, capability)
    ? undefined
    : sql`${courses.id} in (${selectOwnCourses(user, capability)})`
}

/** The caller's open courses by name, or the closed ones; for an admin those of all people. */
export async function listCourses(
  db: Db,
  user: SessionUser,
  areClosed: boolean,
): Promise<CourseItem[]> {
  const isListed = (areClosed ? isNotNull : isNull)(courses.closedAt)
  const which = and(isNull(courses.deletedAt), isListed, isWhere(user, 'course.read'))
  return (await selectCourses(db, user, which)).map(toItem)
}

/** The deleted courses that the caller can still restore. */
export async function listRestorable(
  db: Db,
  user: SessionUser,
  now: number,
): Promise<CourseItem[]> {
  const isRecent = gte(courses.deletedAt, now - COURSE_RESTORE_SECONDS)
  const rows = await selectCourses(db, user, and(isRecent, isWhere(user, 'course.manage')))
  return rows.map(toItem)
}

/** Columns that tell which steps of a course are done, except `members`, which are read anyway. */
function doneColumns(courseId: number): SQL {
  const isThere = (table: SQLiteTable, where: SQL) =>
    sql`exists (select 1 from ${table} where ${where})`
  const problem = sql`${problems.courseId} = ${courseId} and ${problems.deletedAt} is null`
  const announcement = sql`${announcements.courseId} = ${courseId} and ${announcements.deletedAt} is null`
  return sql`${isThere(problems, problem)} as problem,
    ${isThere(problems, sql`${problem} and ${problems.testDataVersion} is not null`)} as testData,
    ${isThere(homeworks, sql`${homeworks.courseId} = ${courseId}`)} as homework,
    ${isThere(announcements, announcement)} as announcement`
}

/** The name of the live course that a course was copied from. */
function sourceName(courseId: number): SQL {
  return sql`(select source.name from ${courses} join ${courses} source on source.id = ${courses.copiedFromId}
    where ${courses.id} = ${courseId} and source.deleted_at is null)`
}

/** Counts and facts of a course; the steps and the source only for its staff. */
type CourseFacts = { waitingQuestions: number; copiedFrom?: string | null } & Partial<
  Record<CourseStep, 0 | 1>
>

/** A course with its members. */
export async function getCourse(
  db: Db,
  user: SessionUser,
  course: CourseStanding,
): Promise<SentCourseDetail> {
  const waiting = can(course.standing, 'question.answer')
    ? waitingForStaff(user.id, course.id, standingCan(sql`${course.standing}`, 'course.manage'))
    : waitingForStudent(user.id, course.id)
  const isStaff = can(course.standing, 'submission.readAll')
  const steps = isStaff
    ? sql`, ${sourceName(course.id)} as copiedFrom, ${doneColumns(course.id)}`
    : sql``
  const [teachers, members, [facts], labelled] = await db.batch([
    db
      .select(userInfoColumns(users))
      .from(users)
      .where(eq(users.id, course.teacherId ?? 0)),
    db
      .select({
        ...aliasColumns(userInfoColumns(users)),
        ...aliasColumns({
          id: users.id,
          courseRole: memberships.role,
          emailConfirmedAt: users.emailConfirmedAt,
          email: users.email,
          madeInCourseId: users.madeInCourseId,
        }),
      })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(eq(memberships.courseId, course.id)),
    rawQuery<CourseFacts>(db, sql`select ${waiting} as waitingQuestions ${steps}`),
    selectLabels(db, course.id, isStaff ? 'all' : 'shown'),
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
    counts: course.counts,
    closedAt: course.closedAt,
    ...toLabels(labelled, members),
    waitingQuestions: facts?.waitingQuestions ?? 0,
    ...(isStaff && {
      copiedFrom: facts?.copiedFrom ?? null,
      lacks: COURSE_STEPS.filter((step) =>
        step === 'members' ? members.length === 0 : facts?.[step] !== 1,
      ),
      unconfirmed: byName
        .filter(({ emailConfirmedAt }) => emailConfirmedAt === null)
        .map(({ username }) => username),
    }),
    ...(can(course.standing, 'members.manage') && {
      emails: Object.fromEntries(
        byName
          .filter(({ madeInCourseId }) => madeInCourseId === course.id)
          .map(({ username, email }) => [username, email]),
      ),
    }),
  }
}
