/** The people whose open pages are told what happens in a course. */
import { sql, type SQL } from 'drizzle-orm'
import { can, type Capability } from '#contract/roles'
import { CHANNELS } from '../lib/channel-limits.ts'
import { rawQuery, type Db } from './client.ts'
import { courses, memberships, sessions, users } from './schema.ts'
import { isSessionAlive } from './sessions.ts'
import { membershipCan, teaches } from './standing.ts'

/** Who is told, of the people of a course. */
export interface Listeners {
  /** What the listeners' role in the course must allow, so that admins hear of their own courses only. */
  capability: Capability
  /** The person to leave out, who knows already; null: nobody. */
  but: number | null
  /** Selects the ids of those who are meant; undefined: all. */
  among?: SQL | undefined
}

/**
 * The ids of a course's people who are signed in, at most `CHANNELS.recipients`.
 * @param now epoch seconds
 */
export async function listListeners(
  db: Db,
  courseId: number,
  { capability, but, among }: Listeners,
  now: number,
): Promise<number[]> {
  const members = sql`select ${memberships.userId} as id from ${memberships}
    where ${memberships.courseId} = ${courseId} and ${membershipCan(capability)}`
  const teacher = sql`select ${courses.teacherId} from ${courses} join ${users} on ${users.id} = ${courses.teacherId}
    where ${courses.id} = ${courseId} and ${teaches(users)}`
  const people = can('teacher', capability) ? sql`${members} union ${teacher}` : members
  const rows = await rawQuery<{ id: number }>(
    db,
    sql`select people.id from (${people}) people
      where people.id is not ${but} and ${among ? sql`people.id in (${among})` : sql`true`} and exists (select 1 from ${sessions} where ${sessions.userId} = people.id
        and ${isSessionAlive(now)})
      limit ${CHANNELS.recipients}`,
  )
  return rows.map(({ id }) => id)
}
