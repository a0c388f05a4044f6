/** Finds problems, homeworks and people of all one's courses by words of their names. */
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import { MOST_FOUND, type Found } from '#contract/search'
import { aliasColumns, type Db } from '../../db/client.ts'
import { userInfoColumns } from '../../db/people.ts'
import { courses, homeworks, memberships, problems, users } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { ownMembership, standingOf } from '../../db/standing.ts'
import { visibleBy } from '../../db/visibility.ts'
import { isWhere } from '../courses/queries.ts'

/** The condition that a text holds all words of a JSON array. SQLite knows the case of ASCII letters only. */
function holds(text: SQL, words: string): SQL {
  return sql`not exists (select 1 from json_each(${words}) w
    where instr(lower(${text}), lower(w.value)) = 0 and instr(${text}, w.value) = 0)`
}

/** The newest of each kind that hold all words of a text. @param now epoch seconds */
export async function findNamed(
  db: Db,
  user: SessionUser,
  text: string,
  now: number,
): Promise<Found> {
  const words = JSON.stringify(text.split(/\s+/))
  const isRead = and(isNull(courses.deletedAt), isWhere(user, 'course.read'))
  const [foundProblems, foundHomeworks, people] = await db.batch([
    db
      .select(
        aliasColumns({
          problemId: problems.id,
          problemName: problems.name,
          course: courses.name,
        }),
      )
      .from(courses)
      .leftJoin(memberships, ownMembership(user))
      .innerJoin(problems, eq(problems.courseId, courses.id))
      .where(
        and(
          isRead,
          visibleBy(standingOf(user), now),
          holds(sql`(${problems.name} || ' #' || ${problems.id} || ' ' || ${courses.name})`, words),
        ),
      )
      .orderBy(sql`${problems.id} desc`)
      .limit(MOST_FOUND),
    db
      .select(aliasColumns({ id: homeworks.id, name: homeworks.name, course: courses.name }))
      .from(courses)
      .innerJoin(homeworks, eq(homeworks.courseId, courses.id))
      .where(and(isRead, holds(sql`(${homeworks.name} || ' ' || ${courses.name})`, words)))
      .orderBy(sql`${homeworks.id} desc`)
      .limit(MOST_FOUND),
    db
      .select({
        ...aliasColumns(userInfoColumns(users)),
        ...aliasColumns({ course: courses.name }),
      })
      .from(courses)
      .innerJoin(memberships, eq(memberships.courseId, courses.id))
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(
        and(
          isNull(courses.deletedAt),
          isWhere(user, 'submission.readAll'),
          holds(
            sql`(${users.displayedName} || ' ' || ${users.username} || ' ' || ${courses.name})`,
            words,
          ),
        ),
      )
      .orderBy(sql`${courses.id} desc`, users.usernameKey)
      .limit(MOST_FOUND),
  ])
  return { problems: foundProblems, homeworks: foundHomeworks, people }
}
