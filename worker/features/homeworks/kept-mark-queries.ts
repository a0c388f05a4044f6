/** Kept marks: what counted before a change of dates that would lower it. */
import { and, eq, sql, type SQL } from 'drizzle-orm'
import { pointsFor } from '#contract/homework-dates'
import type { KeptMark } from '#contract/homework-overrides'
import { insertAudit } from '../../db/audit.ts'
import { rawQuery, type Db } from '../../db/client.ts'
import { homeworkProblems, keptMarks, problems, users } from '../../db/schema.ts'
import type { Change } from '../../http/change.ts'
import { peopleDetail, selectStudents } from './people-queries.ts'
import type { HomeworkAccess } from './queries.ts'

/**
 * Selects the kept marks of a homework that are higher than what counts now; `points`: of the problem.
 * @param people a list for `in`
 */
function selectHigher(homeworkId: string, people: SQL): SQL {
  const { userId, problemId, value } = keptMarks
  return sql`select ${userId} as user_id, ${problemId} as problem_id, ${value} as kept,
      coalesce(counted.value, 0) as now, ${homeworkProblems.points} as points, ${homeworkProblems.position} as position
    from ${keptMarks}
    join ${homeworkProblems} on ${homeworkProblems.homeworkId} = ${keptMarks.homeworkId}
      and ${homeworkProblems.problemId} = ${problemId}
    left join (select 0 as user_id, 0 as problem_id, 0 as value where 0) counted
      on counted.user_id = ${userId} and counted.problem_id = ${problemId}
    where ${keptMarks.homeworkId} = ${homeworkId} and ${userId} in ${people} and coalesce(counted.value, 0) < ${value}`
}

/** Before a change of dates: keeps what counts now for these people, where no higher mark is kept. */
export function keepMarks(db: Db, homeworkId: string, people: SQL) {
  return rawQuery(db, sql`select ${homeworkId} where ${homeworkId} in ${people}`)
}

/** After a change of dates: forgets these people's kept marks that are no higher than what counts now. */
export function dropReachedMarks(db: Db, homeworkId: string, people: SQL) {
  const { userId, problemId } = keptMarks
  return db
    .delete(keptMarks)
    .where(
      and(
        eq(keptMarks.homeworkId, homeworkId),
        sql`${userId} in ${people}`,
        sql`(${userId}, ${problemId}) not in (select user_id, problem_id from (${selectHigher(homeworkId, people)}))`,
      ),
    )
}

/** How many problems with a kept mark each student has. */
export function countKeptMarks(db: Db, homeworkId: string, people: SQL) {
  return rawQuery<{ userId: number; kept: number }>(
    db,
    sql`select user_id as userId, count(*) as kept from (${selectHigher(homeworkId, people)}) group by user_id`,
  )
}

/** The kept marks of a homework's students, by username. */
export async function listKeptMarks(
  db: Db,
  { homeworkId, courseId }: HomeworkAccess,
): Promise<KeptMark[]> {
  const rows = await rawQuery<
    KeptMark['user'] & Omit<KeptMark, 'user'> & { problemId: number; points: number }
  >(
    db,
    sql`select ${users.username}, ${users.displayedName} as displayedName, ${users.role},
        ${problems.id} as problemId, ${problems.name} as problemName, higher.kept, higher.now, higher.points
      from (${selectHigher(homeworkId, sql`(${selectStudents(courseId)})`)}) higher
      join ${users} on ${users.id} = higher.user_id
      join ${problems} on ${problems.id} = higher.problem_id
      order by ${users.usernameKey}, higher.position`,
  )
  return rows.map(({ username, displayedName, role, kept, now, points, ...problem }) => ({
    ...problem,
    user: { username, displayedName, role },
    kept: pointsFor(kept, points),
    now: pointsFor(now, points),
  }))
}

/** Brings the lower marks of these people into force. */
export async function confirmMarks(
  db: Db,
  { homeworkId, course }: HomeworkAccess,
  usernames: string[],
  change: Change,
): Promise<void> {
  const keys = JSON.stringify(usernames.map((name) => name.toLowerCase()))
  await db.batch([
    db.delete(keptMarks).where(
      and(
        eq(keptMarks.homeworkId, homeworkId),
        sql`${keptMarks.userId} in (select ${users.id} from ${users}
          where ${users.usernameKey} in (select value from json_each(${keys})))`,
      ),
    ),
    insertAudit(db, change, {
      action: 'homework.marks.confirm',
      subject: homeworkId,
      detail: { course, ...peopleDetail(usernames) },
    }),
  ])
}
