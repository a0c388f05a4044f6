/** The access to problems: their course, and the caller's standing there. */
import { and, eq, isNull, sql, type Placeholder } from 'drizzle-orm'
import type { Standing } from '#contract/roles'
import { aliasColumns, type Db } from '../../db/client.ts'
import { courses, memberships, problems, submissions, subtasks } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import {
  ownMembership,
  selectStanding,
  standingOf,
  type Asker,
  type CourseStanding,
} from '../../db/standing.ts'
import { scalar } from '../../db/statements.ts'
import { visibleBy } from '../../db/visibility.ts'
import type { StoredSubtask } from './revealed-tests.ts'

/** What a caller may do with a problem: its course and their standing there. */
export interface ProblemAccess {
  problemId: number
  courseId: number
  course: string
  timeZone: string
  standing: Standing
  version: number
  hasTestData: boolean
}

/** The access to a problem; no row if the caller may not see it. */
export function selectProblemAccess(
  db: Db,
  user: Asker,
  problemId: number | Placeholder,
  now: number | Placeholder,
) {
  const standing = standingOf(user)
  return db
    .select({
      standing: standing.as('standing'),
      hasTestData: sql<boolean>`${problems.testDataVersion} is not null`
        .mapWith(Boolean)
        .as('hasTestData'),
      ...aliasColumns({
        problemId: problems.id,
        courseId: courses.id,
        course: courses.name,
        timeZone: courses.timeZone,
        version: problems.version,
      }),
    })
    .from(problems)
    .innerJoin(courses, eq(courses.id, problems.courseId))
    .leftJoin(memberships, ownMembership(user))
    .where(and(eq(problems.id, problemId), isNull(courses.deletedAt), visibleBy(user, now)))
}

/** The access to a problem; undefined if the caller may not see it. */
export async function findProblemAccess(
  db: Db,
  user: SessionUser,
  problemId: number,
  now: number,
): Promise<ProblemAccess | undefined> {
  return selectProblemAccess(db, user, problemId, now).get()
}

/** The access to a problem and the caller's standing in another course, in one round trip. */
export async function findCopyAccess(
  db: Db,
  user: SessionUser,
  problemId: number,
  courseName: string,
  now: number,
): Promise<{ access?: ProblemAccess; target?: CourseStanding }> {
  const [accesses, targets] = await db.batch([
    selectProblemAccess(db, user, problemId, now),
    selectStanding(db, user, courseName),
  ])
  return { access: accesses[0], target: targets[0] }
}

/** The access to a problem and its stored subtasks, in one round trip. */
export async function findEditAccess(
  db: Db,
  user: SessionUser,
  problemId: number,
  now: number,
): Promise<{ access?: ProblemAccess; stored: StoredSubtask[] }> {
  const [accesses, stored] = await db.batch([
    selectProblemAccess(db, user, problemId, now),
    db
      .select({
        caseCount: subtasks.caseCount,
        taskScore: subtasks.score,
        sample: subtasks.isSample,
        hasSubmissions: scalar<boolean>(
          sql`select exists (select 1 from ${submissions} where ${submissions.problemId} = ${problemId})`,
        ).mapWith(Boolean),
      })
      .from(subtasks)
      .where(eq(subtasks.problemId, problemId))
      .orderBy(subtasks.position),
  ])
  return { access: accesses[0], stored }
}
