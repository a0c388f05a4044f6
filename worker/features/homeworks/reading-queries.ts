/** The selects of which pages about homeworks consist, for one batch. */
import { and, eq, getTableColumns, isNull, sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { UserInfo } from '#contract/fields'
import { PROBLEM_STATUS } from '#contract/problems'
import type { CourseRole, Standing } from '#contract/roles'
import { rawQuery, aliasColumns, type Db } from '../../db/client.ts'
import { attemptsWithin } from '../../db/problem-results.ts'
import {
  courses,
  homeworkDates,
  homeworkProblems,
  homeworks,
  keptMarks,
  lateDayBudgets,
  memberships,
  problemResults,
  problems,
  staffPoints,
  users,
} from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { visibleTo } from '../../db/visibility.ts'
import { ruleColumns } from './late-day-queries.ts'
import { CLAIMED_SUBMISSION_SECONDS } from '../submissions/target-queries.ts'
import { givenColumns } from '../../db/given-points.ts'
import { isOf, selectLabelled, selectOverrides, type Whose } from './own-dates.ts'

const d = alias(homeworkDates, 'd')

/** Which homeworks are read, and for whom. */
export interface Reading {
  standing: Standing
  user: SessionUser
  /** Condition on `homeworks`. */
  which: SQL
  /** Whose progress is read. */
  progress: Whose
  now: number
}

/** The homeworks, with their courses and late days. */
export function selectHomeworks(db: Db, { which }: Pick<Reading, 'which'>) {
  return db
    .select({
      ...getTableColumns(homeworks),
      ...aliasColumns({ course: courses.name, courseCounts: courses.counts }),
      rule: ruleColumns,
    })
    .from(homeworks)
    .innerJoin(courses, eq(courses.id, homeworks.courseId))
    .leftJoin(lateDayBudgets, eq(lateDayBudgets.id, homeworks.budgetId))
    .where(which)
}

/** The problems of the homeworks. `isShown`: the caller may see it. `isHidden`: students never see it. */
export function selectProblems(
  db: Db,
  { standing, user, which, now }: Omit<Reading, 'user'> & { user: Pick<SessionUser, 'id'> },
) {
  return db
    .select({
      homeworkId: homeworkProblems.homeworkId,
      problemId: homeworkProblems.problemId,
      problemName: problems.name,
      position: homeworkProblems.position,
      points: homeworkProblems.points,
      isShown: sql<number>`iif(${visibleTo(standing, user.id, now)}, 1, 0)`.as('is_shown'),
      isHidden: sql<number>`${problems.status} <> ${PROBLEM_STATUS.VISIBLE}`.as('is_hidden'),
    })
    .from(homeworks)
    .innerJoin(homeworkProblems, eq(homeworkProblems.homeworkId, homeworks.id))
    .innerJoin(problems, eq(problems.id, homeworkProblems.problemId))
    .where(and(which, isNull(problems.deletedAt)))
}

/**
 * The attempts at the homeworks' problems: one row for each person and problem. They come as text and are parsed one row at a
 * time, because the parsed attempts of a whole course would not fit the memory of a Worker. If SQL cut the text, it would be a quarter
 * shorter, but the query would read a row for each attempt and occupy the database thirty times as long.
 * @param since from a person's opening on, or for a change of dates from ever
 */
export function selectAttempts(
  db: Db,
  { which, progress }: Pick<Reading, 'which' | 'progress'>,
  since: 'opening' | 'ever' = 'opening',
) {
  const opens = sql`(select ${d.opens} from ${homeworkDates} ${d}
    where ${d.homeworkId} = ${homeworks.id} and ${d.userId} = ${problemResults.userId})`
  // The id of a two-step submission is up to ten minutes older than its code.
  const opening = sql`printf('%012x', max(0, ${opens} - ${CLAIMED_SUBMISSION_SECONDS}) * 1000)`
  const from = since === 'ever' ? sql`''` : opening
  return db
    .select({
      ...aliasColumns({
        homeworkId: homeworkProblems.homeworkId,
        userId: problemResults.userId,
        problemId: problemResults.problemId,
      }),
      attempts: attemptsWithin(from, sql`'g'`).as('attempts'),
    })
    .from(homeworks)
    .innerJoin(homeworkProblems, eq(homeworkProblems.homeworkId, homeworks.id))
    .innerJoin(
      problemResults,
      and(
        eq(problemResults.problemId, homeworkProblems.problemId),
        isOf(problemResults.userId, progress),
      ),
    )
    .where(which)
}

/** The selects of the overrides, kept marks and given points that `MarksReader` reads. A problem that the homework lost has no kept marks. */
export function selectMarks(db: Db, { which, progress }: Pick<Reading, 'which' | 'progress'>) {
  const { homeworkId, userId, problemId } = staffPoints
  const isProblem = and(
    eq(homeworkProblems.homeworkId, keptMarks.homeworkId),
    eq(homeworkProblems.problemId, keptMarks.problemId),
  )
  return [
    selectOverrides(db, which, progress),
    selectLabelled(db, which, progress),
    db
      .select(getTableColumns(keptMarks))
      .from(homeworks)
      .innerJoin(keptMarks, eq(keptMarks.homeworkId, homeworks.id))
      .innerJoin(homeworkProblems, isProblem)
      .where(and(which, isOf(keptMarks.userId, progress))),
    db
      .select({ homeworkId, userId, problemId, ...givenColumns })
      .from(homeworks)
      .innerJoin(staffPoints, eq(homeworkId, homeworks.id))
      .where(and(which, isOf(userId, progress))),
  ] as const
}

/** A member of the homeworks' course. */
export type Member = UserInfo & { id: number; courseRole: CourseRole }

/** The members of the homeworks' course, unless only some people's progress is read. Each name comes once, not for each problem. */
export function selectMembers(db: Db, { which, progress }: Reading) {
  return rawQuery<Member>(
    db,
    progress !== 'all'
      ? sql`select 0 as id where 0`
      : sql`select ${users.id}, ${users.username}, ${users.displayedName} as displayedName, ${users.role},
          ${memberships.role} as courseRole from ${memberships}
          join ${users} on ${users.id} = ${memberships.userId}
          where ${memberships.courseId} in (select ${homeworks.courseId} from ${homeworks} where ${which})`,
  )
}

/** The names of all who handed in or have marks: the members that were read, the caller, and people who have left the course. */
export async function completeNames(
  db: Db,
  user: SessionUser,
  members: { id: number; username: string }[],
  rows: { userId: number }[],
): Promise<Map<number, string>> {
  const names = new Map(members.map(({ id, username }) => [id, username]))
  names.set(user.id, user.username)
  const unknown = new Set(rows.map(({ userId }) => userId).filter((id) => !names.has(id)))
  if (unknown.size === 0) return names
  const others = await rawQuery<{ id: number; username: string }>(
    db,
    sql`select ${users.id}, ${users.username} from ${users}
      where ${users.id} in (select value from json_each(${JSON.stringify([...unknown])}))`,
  )
  for (const { id, username } of others) names.set(id, username)
  return names
}
