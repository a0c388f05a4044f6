/** Changes members of a course: replaces both lists, or changes the named people. */
import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { CourseMembers, MemberChanges } from '#contract/courses'
import { nameKey } from '#contract/names'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { demandCurrent } from '../../db/edits.ts'
import { isMeantBy, mayJoin } from '../../db/identities.ts'
import { userInfoJson } from '../../db/people.ts'
import { courses, joinRequests, memberships, users } from '../../db/schema.ts'
import type { CourseStanding } from '../../db/standing.ts'
import { excluded, insertSelect, onConflictUpdate } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'

/** A member to add, as typed: username or e-mail. */
interface NamedMember {
  user: string
  role: 'ta' | 'student'
}

/** A change of the members. */
interface MemberWrite {
  added: NamedMember[]
  /** People to remove; they must exist as accounts. */
  removed: string[]
  /** Whether members who are not named are removed. */
  replaces: boolean
}

/** The typed names and their look-up keys as a table `t` of `typed`, `key` and `role`. */
function typedTable(rows: { user: string; role: string | null }[]): SQL {
  const json = JSON.stringify(
    rows.map(({ user, role }) => ({ typed: user, key: nameKey(user), role })),
  )
  return sql`(select value ->> 'typed' as typed, value ->> 'key' as key, value ->> 'role' as role, key as position
    from json_each(${json})) t`
}

const isNamed = isMeantBy(sql`t.key`)

/** The statement that ends the requests and refusals of people whom staff add. @param people selects their ids */
export function endRequests(db: Db, courseId: number | SQL, people: SQL) {
  return db
    .delete(joinRequests)
    .where(sql`${joinRequests.courseId} = ${courseId} and ${joinRequests.userId} in (${people})`)
}

/** Adds, changes and removes only the named people. Their submissions stay. */
export async function changeMembers(
  db: Db,
  course: CourseStanding,
  { add = [], remove = [] }: MemberChanges,
  basedOn: number | null,
  change: Change,
): Promise<void> {
  const added = add.map(({ user, username, email, role }) => ({
    user: user ?? username ?? email ?? '',
    role,
  }))
  await writeMembers(db, course, { added, removed: remove, replaces: false }, basedOn, change)
}

/** Replaces both lists. A person in both is a teaching assistant. */
export async function replaceMembers(
  db: Db,
  course: CourseStanding,
  { TAs, students }: CourseMembers,
  basedOn: number | null,
  change: Change,
): Promise<void> {
  const added = [
    ...students.map((user) => ({ user, role: 'student' as const })),
    ...TAs.map((user) => ({ user, role: 'ta' as const })),
  ]
  await writeMembers(db, course, { added, removed: [], replaces: true }, basedOn, change)
}

/**
 * Removes, adds and changes members in one transaction, in this order. People who are removed can join by no code until they are added. Nothing is written when a person is unknown (404), has
 * not confirmed the e-mail (409), or when the edit is stale. The refusal names the unknown or unconfirmed people. The teacher
 * never becomes a member.
 */
async function writeMembers(
  db: Db,
  course: CourseStanding,
  { added, removed, replaces }: MemberWrite,
  basedOn: number | null,
  change: Change,
): Promise<void> {
  const { now } = change
  const leavers = removed.map((user) => ({ user, role: null }))
  const everyone = typedTable([...added, ...leavers])
  const unknown = sql`select t.typed from ${everyone} where not exists (select 1 from ${users} where ${isNamed})`
  const unconfirmed = sql`from ${typedTable(added)} join ${users} on ${isNamed}
    where ${users.id} is not ${course.teacherId} and not ${mayJoin(sql`${course.id}`, sql`t.role`)}`
  const { userId } = memberships
  const kept = sql`select ${users.id} from ${typedTable(added)} join ${users} on ${isNamed}`
  const gone = sql`select ${users.id} from ${typedTable(leavers)} join ${users} on ${isNamed}`
  const leaves = and(
    eq(memberships.courseId, course.id),
    replaces ? sql`${userId} not in (${kept})` : sql`${userId} in (${gone})`,
  )
  await db.batch([
    demand(
      db,
      'user_not_found',
      sql`not exists (${unknown})`,
      sql`json_object('unknown', (select json_group_array(typed) from (${unknown})))`,
    ),
    demand(
      db,
      'email_unconfirmed',
      sql`not exists (select 1 ${unconfirmed})`,
      sql`json_object('unconfirmed', (select json_group_array(json(person)) from (select distinct ${userInfoJson} as person ${unconfirmed})))`,
    ),
    demandCurrent(db, courses, course.id, basedOn),
    insertSelect(
      db,
      joinRequests,
      {
        courseId: course.id,
        userId,
        joinCodeId: memberships.joinCodeId,
        state: 'refused',
        createdAt: now,
      },
      sql`from ${memberships} where ${leaves} on conflict do nothing`,
    ),
    db.delete(memberships).where(leaves),
    insertSelect(
      db,
      memberships,
      { courseId: course.id, userId: users.id, role: sql`t.role`, joinedAt: now },
      sql`from ${typedTable(added)} join ${users} on ${isNamed}
          where ${users.id} is not ${course.teacherId} order by t.position
      ${onConflictUpdate(memberships, [memberships.courseId, userId], { role: excluded(memberships.role) })}`,
    ),
    endRequests(db, course.id, kept),
    db
      .update(courses)
      .set({ version: sql`${courses.version} + 1` })
      .where(eq(courses.id, course.id)),
    insertAudit(db, change, {
      action: 'course.members',
      subject: course.name,
      detail: { added: added.length, removed: removed.length, replaced: replaces },
    }),
  ])
}
