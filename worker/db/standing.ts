/** Standings: what a person is in a course. */
import { and, eq, isNull, sql, type Placeholder, type SQL } from 'drizzle-orm'
import { ROLES, rolesThatCan, type CourseRole, type Standing } from '#contract/roles'
import { named, type Db } from './client.ts'
import { courses, memberships } from './schema.ts'
import type { SessionUser } from './sessions.ts'

/** A course and the caller's standing in it. */
export interface CourseStanding {
  id: number
  name: string
  teacherId: number | null
  timeZone: string
  /** Counts edits (ETag). */
  version: number
  standing: Standing
}

/** The person whose standing is asked; in a prepared query the placeholders of `boundAsker`. */
export interface Asker {
  id: number | Placeholder
  role: number | Placeholder
}

export const ASKER: Asker = { id: sql.placeholder('askerId'), role: sql.placeholder('askerRole') }

/** The values of `ASKER`. */
export function boundAsker({ id, role }: SessionUser) {
  return { askerId: id, askerRole: role }
}

/** The condition that a person teaches `courses`. A teacher who became a student owns no course any more. */
export function teaches({ id, role }: Asker): SQL {
  return sql`${courses.teacherId} = ${id} and ${role} in ${rolesThatCan('course.create')}`
}

/** The SQL for the caller's standing; needs `courses`, and `memberships` joined by `ownMembership`. */
export function standingOf(user: Asker): SQL<Standing> {
  return sql<Standing>`case when ${user.role} = ${ROLES.admin} then 'admin'
    when ${teaches(user)} then 'teacher'
    else coalesce(${memberships.role}, 'outsider') end`
}

/** The join condition for the caller's own membership of `courses`. */
export function ownMembership(user: Asker): SQL | undefined {
  return and(eq(memberships.courseId, courses.id), eq(memberships.userId, user.id))
}

/** A live course by name, with the caller's standing; for a batch too. */
export function selectStanding(db: Db, user: Asker, name: string | Placeholder) {
  return db
    .select({
      standing: standingOf(user).as('standing'),
      ...named({
        id: courses.id,
        name: courses.name,
        teacherId: courses.teacherId,
        timeZone: courses.timeZone,
        version: courses.version,
      }),
    })
    .from(courses)
    .leftJoin(memberships, ownMembership(user))
    .where(and(eq(courses.name, name), isNull(courses.deletedAt)))
}

/** A live course by name, with the caller's standing. */
export async function findStanding(
  db: Db,
  user: SessionUser,
  name: string,
): Promise<CourseStanding | undefined> {
  return selectStanding(db, user, name).get()
}

/** The contract's role for a standing: an admin counts as teacher, an outsider has none. */
export function toCourseRole(standing: Standing): CourseRole {
  return standing === 'ta' || standing === 'student' ? standing : 'teacher'
}
