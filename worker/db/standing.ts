/** Standings: what a person is in a course, and `can` as conditions of SQL. */
import { and, eq, isNull, sql, type Column, type Placeholder, type SQL } from 'drizzle-orm'
import type { Counts } from '#contract/homework-dates'
import {
  can,
  ROLES,
  rolesThatCan,
  standingsThatCan,
  type Capability,
  type CourseRole,
  type Standing,
} from '#contract/roles'
import { aliasColumns, type Db } from './client.ts'
import { isNamed } from './course-names.ts'
import { courses, memberships, users } from './schema.ts'
import type { SessionUser } from './sessions.ts'

/** A course and the caller's standing in it. */
export interface CourseStanding {
  id: number
  name: string
  teacherId: number | null
  timeZone: string
  counts: Counts
  /** Null: it is open. */
  closedAt: number | null
  /** Counts edits (ETag). */
  version: number
  standing: Standing
}

/** The person whose standing is looked up: columns of `users`, or in a prepared query the placeholders of `askerValues`. */
export interface Asker {
  id: number | Placeholder | Column
  role: number | Placeholder | Column
}

export const ASKER = {
  id: sql.placeholder('askerId'),
  role: sql.placeholder('askerRole'),
} satisfies Asker

/** The values of `ASKER`. */
export function askerValues({ id, role }: SessionUser) {
  return { askerId: id, askerRole: role }
}

/** The condition that a person teaches `courses`. A teacher who became a student owns no course any more. */
export function teaches({ id, role }: Asker): SQL {
  return sql`${courses.teacherId} = ${id} and ${role} in ${rolesThatCan('course.create')}`
}

/** The SQL for a person's standing in a course, without regard to an admin's rights; needs the same joins as `standingOf`. */
export function ownStandingOf(user: Asker): SQL<Standing> {
  return sql<Standing>`case when ${teaches(user)} then 'teacher'
    when ${memberships.role} = 'student' and ${courses.closedAt} is not null then 'reader'
    else coalesce(${memberships.role}, 'outsider') end`
}

/** The SQL for the caller's standing; needs `courses`, and `memberships` joined by `ownMembership`. */
export function standingOf(user: Asker): SQL<Standing> {
  return sql<Standing>`case when ${user.role} = ${ROLES.admin} then 'admin' else ${ownStandingOf(user)} end`
}

/** The join condition for the caller's own membership of `courses`. */
export function ownMembership(user: Asker): SQL | undefined {
  return and(eq(memberships.courseId, courses.id), eq(memberships.userId, user.id))
}

/** The condition that a standing has a capability: `can`, where the standing is a column of the query. */
export function standingCan(standing: SQL<Standing>, capability: Capability): SQL {
  return sql`${standing} in ${standingsThatCan(capability)}`
}

/** The condition that a row of `memberships` gives its person a capability while the course is open. */
export function membershipCan(capability: Capability): SQL {
  return standingCan(sql`${memberships.role}`, capability)
}

/** The same condition, where a student of a closed course only reads. */
export function membershipStillCan(capability: Capability): SQL {
  const isGiven = membershipCan(capability)
  if (can('student', capability) === can('reader', capability)) return isGiven
  return sql`(${isGiven} and (${memberships.role} <> 'student' or exists (select 1 from ${courses}
    where ${courses.id} = ${memberships.courseId} and ${courses.closedAt} is null)))`
}

/** Selects (as `id`) the people of a course with a right that their own standing gives. */
export function selectPeople(courseId: number, right: Capability): SQL {
  const isOfStaff = !can('student', right) && !can('reader', right)
  // With these words SQLite uses the index of staff and does not read all members.
  const isAmong = isOfStaff ? sql`${memberships.role} <> 'student'` : sql`true`
  const members = sql`select ${memberships.userId} as id from ${memberships}
    where ${memberships.courseId} = ${courseId} and ${isAmong} and ${membershipStillCan(right)}`
  const teacher = sql`select ${courses.teacherId} as id from ${courses} join ${users} on ${users.id} = ${courses.teacherId}
    where ${courses.id} = ${courseId} and ${teaches(users)}`
  if (isOfStaff && !can('ta', right)) return teacher
  return can('teacher', right) ? sql`${members} union ${teacher}` : members
}

/**
 * Selects the courses (by id) where a person's own standing gives a capability; an index finds each course. The rights of
 * admins do not count.
 */
export function selectOwnCourses(user: Asker, capability: Capability): SQL {
  const taught = sql`select ${courses.id} from ${courses} where ${teaches(user)}`
  const joined = sql`select ${memberships.courseId} from ${memberships}
    where ${memberships.userId} = ${user.id} and ${membershipStillCan(capability)}`
  return can('teacher', capability) ? sql`${taught} union all ${joined}` : joined
}

/** The condition that a person who is no admin has a capability in a course; their membership is looked up first. */
export function mayInCourse(user: Asker, courseId: Column, capability: Capability): SQL {
  const isMember = sql`exists (select 1 from ${memberships} where ${memberships.courseId} = ${courseId}
    and ${memberships.userId} = ${user.id} and ${membershipStillCan(capability)})`
  const isTeacher = sql`exists (select 1 from ${courses} where ${courses.id} = ${courseId} and ${teaches(user)})`
  return can('teacher', capability) ? sql`(${isMember} or ${isTeacher})` : isMember
}

/** The condition that a person has a capability by their global role or in any course. */
export function maySomewhere(user: Asker, capability: Capability): SQL {
  return sql`(${user.role} in ${rolesThatCan(capability)} or exists (${selectOwnCourses(user, capability)}))`
}

/** The select of a live course by name, with the caller's standing; also for a batch. */
export function selectStanding(db: Db, user: Asker, name: string | Placeholder) {
  return db
    .select({
      standing: standingOf(user).as('standing'),
      ...aliasColumns({
        id: courses.id,
        name: courses.name,
        teacherId: courses.teacherId,
        timeZone: courses.timeZone,
        counts: courses.counts,
        closedAt: courses.closedAt,
        version: courses.version,
      }),
    })
    .from(courses)
    .leftJoin(memberships, ownMembership(user))
    .where(and(isNamed(name), isNull(courses.deletedAt)))
}

/** A live course by name, with the caller's standing. */
export async function findStanding(
  db: Db,
  user: SessionUser,
  name: string,
): Promise<CourseStanding | undefined> {
  return selectStanding(db, user, name).get()
}

/** The contract's role for a standing: an admin counts as teacher. Outsiders have no role and must not be passed. */
export function toCourseRole(standing: Standing): CourseRole {
  if (standing === 'reader') return 'student'
  return standing === 'ta' || standing === 'student' ? standing : 'teacher'
}
