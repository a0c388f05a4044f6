/** Finds problems, homeworks and people of all the caller's courses by words of their names. */
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import { MOST_FOUND, type Found } from '#contract/search'
import { aliasColumns, type Db } from '../../db/client.ts'
import { userInfoColumns } from '../../db/people.ts'
import { courses, homeworks, memberships, problems, users } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { ownMembership } from '../../db/standing.ts'
import { visibleBy } from '../../db/visibility.ts'
import { isWhere } from '../courses/queries.ts'

/** The condition that a text has the word of the row `w`. SQLite ignores the case of ASCII letters, but not that of other letters. */
function hasWord(text: SQL): SQL {
  return sql`(instr(lower(${text}), lower(w.value)) > 0 or instr(${text}, w.value) > 0)`
}

/**
 * The condition that each word of a JSON array is in a name or in its course's name, and at least one word is in the name itself.
 * A person who types only a course's name means the course.
 */
function isMeant(name: SQL, words: string): SQL {
  const withCourse = sql`(${name} || ' ' || ${courses.name})`
  return sql`(exists (select 1 from json_each(${words}) w where ${hasWord(name)})
    and not exists (select 1 from json_each(${words}) w where not ${hasWord(withCourse)}))`
}

/**
 * The newest of each kind that match all words of a text, first the problem whose number is one of the words.
 * @param now epoch seconds
 */
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
          visibleBy(user, now),
          isMeant(sql`(${problems.name} || ' #' || ${problems.id})`, words),
        ),
      )
      .orderBy(
        sql`'#' || ${problems.id} in (select value from json_each(${words})) desc`,
        sql`${problems.id} desc`,
      )
      .limit(MOST_FOUND),
    db
      .select(aliasColumns({ id: homeworks.id, name: homeworks.name, course: courses.name }))
      .from(courses)
      .innerJoin(homeworks, eq(homeworks.courseId, courses.id))
      .where(and(isRead, isMeant(sql`${homeworks.name}`, words)))
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
          isMeant(sql`(${users.displayedName} || ' ' || ${users.username})`, words),
        ),
      )
      .orderBy(sql`${courses.id} desc`, users.usernameKey)
      .limit(MOST_FOUND),
  ])
  return { problems: foundProblems, homeworks: foundHomeworks, people }
}
