/** Whether somebody may sign up many, asked where the rows are stored. The guard asks when the file comes. */
import { sql, type SQL } from 'drizzle-orm'
import { roleCan, rolesThatCan, ROLES } from '#contract/roles'
import { rawQuery, type Db } from '../../../db/client.ts'
import { isNamed } from '../../../db/course-names.ts'
import { courses, memberships, users } from '../../../db/schema.ts'
import { ownMembership, ownStandingOf, standingCan } from '../../../db/standing.ts'
import type { SignupWrite } from './batch-signup-queries.ts'

/** Who signs up whom into what. A course is known by its id as well, if that is there: meanwhile another one may have got its name. */
export interface SignupSender {
  actorId: number
  course: string | null
  courseId: number | null
}

/** Whether a write gives a role that only admins give. */
export function givesRole({ role }: Pick<SignupWrite, 'role'>): boolean {
  return roleCan(role ?? ROLES.student, 'course.create')
}

/**
 * The condition that somebody may sign up many: an admin anywhere, others students for a course whose members they manage. It is asked
 * again when the rows are stored: hashing takes minutes.
 */
export function maySignUp({ actorId, course, courseId }: SignupSender, writes: SignupWrite[]): SQL {
  const needsAdmin = Number(writes.some(givesRole))
  const mayThere = standingCan(ownStandingOf(users), 'members.manage')
  return sql`exists (select 1 from ${users}
    left join ${courses} on ${isNamed(course)} and ${courses.id} = coalesce(${courseId}, ${courses.id}) and ${courses.deletedAt} is null
    left join ${memberships} on ${ownMembership(users)}
    where ${users.id} = ${actorId} and ${users.active} = 1 and (${course} is null or ${courses.id} is not null)
      and (${users.role} in ${rolesThatCan('users.manage')}
        or (not ${needsAdmin} and ${courses.id} is not null and ${mayThere})))`
}

/**
 * The statement that tells, at its place in a batch, whether somebody may sign up many.
 * @param isLeased the condition that the caller is the one to store them
 */
export function selectMaySignUp(
  db: Db,
  sender: SignupSender,
  writes: SignupWrite[],
  isLeased: SQL = sql`1`,
) {
  return rawQuery<{ isLeased: 0 | 1; may: 0 | 1 }>(
    db,
    sql`select ${isLeased} as "isLeased", ${maySignUp(sender, writes)} as may`,
  )
}
