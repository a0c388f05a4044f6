/** Which problems a student sees: one rule, as SQL, for lists, single reads and submitting. */
import { and, eq, isNull, sql, type Placeholder, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { PROBLEM_STATUS } from '#contract/problems'
import { can, type Standing } from '#contract/roles'
import { isHomework } from './homework-status.ts'
import { homeworkProblems, homeworks, problems } from './schema.ts'
import { standingCan } from './standing.ts'

const hp = alias(homeworkProblems, 'hp')
const h = alias(homeworks, 'h')

/**
 * The condition that a problem is not held back: a problem of a future homework is hidden until the homework starts, unless a
 * running homework contains it, too.
 */
function isNotHeldBack(now: number | Placeholder): SQL {
  return sql`(not exists (select 1 from ${homeworkProblems} ${hp} join ${homeworks} ${h} on ${h.id} = ${hp.homeworkId}
      where ${hp.problemId} = ${problems.id} and ${isHomework('not-started', h, now)})
    or exists (select 1 from ${homeworkProblems} ${hp} join ${homeworks} ${h} on ${h.id} = ${hp.homeworkId}
      where ${hp.problemId} = ${problems.id} and ${isHomework('running', h, now)}))`
}

/**
 * The condition for problems that a person may see in a course they can read.
 * @param now epoch seconds
 */
export function visibleTo(standing: Standing, now: number): SQL | undefined {
  if (can(standing, 'problem.readHidden')) return isNull(problems.deletedAt)
  return and(
    isNull(problems.deletedAt),
    eq(problems.status, PROBLEM_STATUS.VISIBLE),
    isNotHeldBack(now),
  )
}

/** `visibleTo`, with the standing as a column of the query. */
export function visibleBy(standing: SQL<Standing>, now: number | Placeholder): SQL | undefined {
  return and(
    isNull(problems.deletedAt),
    sql`(${standingCan(standing, 'problem.readHidden')}
      or (${standingCan(standing, 'course.read')} and ${problems.status} = ${PROBLEM_STATUS.VISIBLE} and ${isNotHeldBack(now)}))`,
  )
}
