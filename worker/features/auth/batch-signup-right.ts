/** Whether somebody may sign up many, asked where the rows are stored. The guard asks when the file comes. */
import { sql, type SQL } from 'drizzle-orm'
import { rolesThatCan } from '#contract/roles'
import { execute, type Db } from '../../db/client.ts'
import { courses, users } from '../../db/schema.ts'

/**
 * The condition that somebody may sign up many: an admin anywhere, a teacher for a course of theirs. It is asked again when the rows
 * are stored: hashing takes minutes.
 */
export function maySignUp(actorId: number, course: string | null): SQL {
  return sql`exists (select 1 from ${users}
    left join ${courses} on ${courses.name} = ${course} and ${courses.deletedAt} is null
    where ${users.id} = ${actorId} and ${users.active} = 1 and (${course} is null or ${courses.id} is not null)
      and (${users.role} in ${rolesThatCan('users.manage')}
        or (${courses.teacherId} = ${users.id} and ${users.role} in ${rolesThatCan('course.create')})))`
}

/** The statement that tells whether somebody may sign up many, at its place in a batch. */
export function selectMaySignUp(db: Db, actorId: number, course: string | null) {
  return execute<{ may: 0 | 1 }>(db, sql`select ${maySignUp(actorId, course)} as may`)
}
