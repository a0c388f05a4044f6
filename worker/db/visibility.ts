/** Which problems a student sees: one rule, as SQL, for lists, single reads and submitting. */
import { and, eq, isNull, sql, type Placeholder, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { HomeworkStatus } from '#contract/homeworks'
import { PROBLEM_STATUS } from '#contract/problems'
import { can, type Standing } from '#contract/roles'
import { isHomework } from './homework-status.ts'
import { homeworkDates, homeworkProblems, problems } from './schema.ts'
import { standingCan, standingOf, type Asker } from './standing.ts'

const hp = alias(homeworkProblems, 'hp')
const d = alias(homeworkDates, 'd')

/** The `from` and `where` for a person's dates in the homeworks that contain the problem of the row and have a status for the person. */
function datesOfProblem(
  status: HomeworkStatus,
  personId: Asker['id'],
  now: number | Placeholder,
): SQL {
  return sql`from ${homeworkProblems} ${hp}
    join ${homeworkDates} ${d} on ${d.homeworkId} = ${hp.homeworkId} and ${d.userId} = ${personId}
    where ${hp.problemId} = ${problems.id} and ${isHomework(status, d, now)}`
}

/**
 * The condition that a problem is not held back from a person: a problem of a future homework is hidden until the homework opens for
 * them, unless a homework that runs for them contains it, too.
 */
function isNotHeldBack(personId: Asker['id'], now: number | Placeholder): SQL {
  return sql`(not exists (select 1 ${datesOfProblem('not-started', personId, now)})
    or exists (select 1 ${datesOfProblem('running', personId, now)}))`
}

/**
 * The condition for problems that a person may see in a course they can read.
 * @param now epoch seconds
 */
export function visibleTo(standing: Standing, personId: number, now: number): SQL | undefined {
  if (can(standing, 'problem.readHidden')) return isNull(problems.deletedAt)
  return and(
    isNull(problems.deletedAt),
    eq(problems.status, PROBLEM_STATUS.VISIBLE),
    isNotHeldBack(personId, now),
  )
}

/** `visibleTo`, with the standing as `standingOf` reads it. */
export function visibleBy(user: Asker, now: number | Placeholder): SQL | undefined {
  const standing = standingOf(user)
  return and(
    isNull(problems.deletedAt),
    sql`(${standingCan(standing, 'problem.readHidden')}
      or (${standingCan(standing, 'course.read')} and ${problems.status} = ${PROBLEM_STATUS.VISIBLE}
        and ${isNotHeldBack(user.id, now)}))`,
  )
}
