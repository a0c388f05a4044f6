/** Reading problems: lists, one, and where they are. */
import { and, asc, eq, gt, isNull, sql, type SQL } from 'drizzle-orm'
import type { ManagedProblem, ProblemItem, Subtask } from '#contract/problems'
import { can, type Standing } from '#contract/roles'
import { named, type Db } from '../../db/client.ts'
import {
  courses,
  memberships,
  problemResults,
  problems,
  submissions,
  subtasks,
  users,
} from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import {
  ownMembership,
  selectStanding,
  standingOf,
  type CourseStanding,
} from '../../db/standing.ts'
import { AppError } from '../../http/errors.ts'
import { calendarDay } from '../../lib/calendar-day.ts'
import { hexIdAt } from '../../lib/ids.ts'
import { visibleBy, visibleTo } from '../../db/visibility.ts'

/**
 * How many submissions of a user to the problem of the row count against the quota since a time.
 * The id bound, ten minutes earlier because a two-step submission is older than its code, keeps the
 * count within the index.
 * @param dayStart epoch seconds
 */
export function quotaUsedSince(
  userId: number,
  problemId: SQL | number,
  dayStart: number,
): SQL<number> {
  return sql<number>`(select count(*) from ${submissions} q where q.user_id = ${userId} and q.problem_id = ${problemId}
    and q.id >= ${hexIdAt((dayStart - 600) * 1000)} and q.quota_used = 1 and q.accepted_at >= ${dayStart})`
}

/** The columns of a `ProblemItem` but the course's name; needs `problemResults` joined by `ownResult`. */
function itemColumns(user: SessionUser, dayStart: number) {
  return {
    ...named({
      problemId: problems.id,
      problemName: problems.name,
      status: problems.status,
      type: problems.type,
      tags: problems.tags,
      quota: problems.quota,
      allowedLanguage: problems.allowedLanguage,
      highScore: problemResults.bestScore,
    }),
    quotaUsed: quotaUsedSince(user.id, sql`problems.id`, dayStart).as('quotaUsed'),
    submitCount: sql<number>`coalesce(${problemResults.tries}, 0)`.as('submitCount'),
    hasTestData: sql<boolean>`${problems.testDataVersion} is not null`
      .mapWith(Boolean)
      .as('hasTestData'),
  }
}

/** The join condition for the caller's own result on the problem of the row. */
function ownResult(user: SessionUser): SQL | undefined {
  return and(eq(problemResults.problemId, problems.id), eq(problemResults.userId, user.id))
}

/** Whether the problem of the row has every one of these tags; one parameter, however many there are. */
function hasTags(tags: string[]): SQL {
  return sql`not exists (select 1 from json_each(${JSON.stringify(tags)}) w
    where w.value not in (select value from json_each(${problems.tags})))`
}

/** A page of a course's problems the caller may see, by id. Fetches one more than `limit`. */
export async function listProblems(
  db: Db,
  course: CourseStanding,
  user: SessionUser,
  filter: { name?: string; tags: string[]; after: number; limit: number; now: number },
): Promise<ProblemItem[]> {
  const rows = await db
    .select(itemColumns(user, calendarDay(filter.now, course.timeZone).start))
    .from(problems)
    .leftJoin(problemResults, ownResult(user))
    .where(
      and(
        eq(problems.courseId, course.id),
        gt(problems.id, filter.after),
        visibleTo(course.standing, filter.now),
        filter.name ? sql`instr(lower(${problems.name}), lower(${filter.name})) > 0` : undefined,
        filter.tags.length > 0 ? hasTags(filter.tags) : undefined,
      ),
    )
    .orderBy(asc(problems.id))
    .limit(filter.limit + 1)
  return rows.map((row) => ({ ...row, course: course.name }))
}

/** A problem's place: its course, the caller's standing there, and whether they see it. */
export interface ProblemPlace {
  problemId: number
  courseId: number
  course: string
  timeZone: string
  standing: Standing
  version: number
  hasTestData: boolean
}

/** A problem's place, if the caller may see it (contract §1: what one may not see does not exist). */
function selectPlace(db: Db, user: SessionUser, problemId: number, now: number) {
  const standing = standingOf(user)
  return db
    .select({
      standing: standing.as('standing'),
      hasTestData: sql<boolean>`${problems.testDataVersion} is not null`
        .mapWith(Boolean)
        .as('hasTestData'),
      ...named({
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
    .where(and(eq(problems.id, problemId), isNull(courses.deletedAt), visibleBy(standing, now)))
}

/** Where a problem is, if the caller may see it. */
export async function findProblemPlace(
  db: Db,
  user: SessionUser,
  problemId: number,
  now: number,
): Promise<ProblemPlace | undefined> {
  return selectPlace(db, user, problemId, now).get()
}

/** Where a problem is and what the caller is in another course, in one round trip. */
export async function findCopyPlaces(
  db: Db,
  user: SessionUser,
  problemId: number,
  courseName: string,
  now: number,
): Promise<{ place?: ProblemPlace; target?: CourseStanding }> {
  const [places, targets] = await db.batch([
    selectPlace(db, user, problemId, now),
    selectStanding(db, user, courseName),
  ])
  return { place: places[0], target: targets[0] }
}

/** Row → contract. */
export function toSubtask(row: typeof subtasks.$inferSelect): Subtask {
  return {
    caseCount: row.caseCount,
    taskScore: row.taskScore,
    memoryLimit: row.memoryLimitKb,
    timeLimit: row.timeLimitMs,
    outputLimit: row.outputLimitKb,
  }
}

/** The subtasks of a problem in order. */
export function selectSubtasks(db: Db, problemId: number) {
  return db
    .select()
    .from(subtasks)
    .where(eq(subtasks.problemId, problemId))
    .orderBy(asc(subtasks.position))
}

/** A problem with everything on it, for staff; students must not see its `compare` in full. The place says that the caller may see it. */
export async function getProblem(
  db: Db,
  user: SessionUser,
  place: ProblemPlace,
  now: number,
): Promise<ManagedProblem & { version: number }> {
  const day = calendarDay(now, place.timeZone)
  const [rows, tasks] = await db.batch([
    db
      .select({
        ...itemColumns(user, day.start),
        ...named({
          owner: users.username,
          description: problems.description,
          compare: problems.compare,
          testDataVersion: problems.testDataVersion,
          version: problems.version,
        }),
      })
      .from(problems)
      .leftJoin(problemResults, ownResult(user))
      .innerJoin(users, eq(users.id, problems.ownerId))
      .where(eq(problems.id, place.problemId)),
    selectSubtasks(db, place.problemId),
  ])
  const row = rows[0]
  if (!row) throw new AppError('problem_not_found')
  return {
    ...row,
    course: place.course,
    testCase: tasks.map(toSubtask),
    quotaResetAt: day.end,
    canManage: can(place.standing, 'problem.write'),
  }
}
