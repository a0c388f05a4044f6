/** Reading problems: lists, one, and where they are. */
import { and, asc, eq, gt, isNull, sql, type SQL } from 'drizzle-orm'
import * as z from 'zod'
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
import { calendarDay, LONGEST_DAY_SECONDS } from '../../lib/calendar-day.ts'
import { hexIdAt } from '../../lib/ids.ts'
import { visibleBy } from '../../db/visibility.ts'

/**
 * The submissions of a user to a problem that count against its quota, accepted since a time. The id bound, ten
 * minutes earlier because a two-step submission is older than its code, keeps the search within the index.
 * @param since epoch seconds
 */
function quotaUses(userId: number, problemId: SQL | number, since: number): SQL {
  return sql`${submissions} q where q.user_id = ${userId} and q.problem_id = ${problemId}
    and q.id >= ${hexIdAt((since - 600) * 1000)} and q.quota_used = 1 and q.accepted_at >= ${since}`
}

/**
 * How many submissions of a user to a problem count against its quota since a time.
 * @param dayStart epoch seconds
 */
export function quotaUsedSince(userId: number, problemId: number, dayStart: number): SQL<number> {
  return sql<number>`(select count(*) from ${quotaUses(userId, problemId, dayStart)})`
}

/**
 * The columns of a `ProblemItem` but the course's name; needs `problemResults` joined by `ownResult`. Of the quota
 * come the times at which it was used within the longest day, because only the answer tells the course's time zone.
 */
function itemColumns(user: SessionUser, now: number) {
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
    quotaUsedAt: sql<number[]>`(select json_group_array(q.accepted_at)
      from ${quotaUses(user.id, sql`problems.id`, now - LONGEST_DAY_SECONDS)})`
      .mapWith(toNumbers)
      .as('quotaUsedAt'),
    submitCount: sql<number>`coalesce(${problemResults.tries}, 0)`.as('submitCount'),
    hasTestData: sql<boolean>`${problems.testDataVersion} is not null`
      .mapWith(Boolean)
      .as('hasTestData'),
  }
}

/** A JSON array of numbers, as SQLite writes it. */
function toNumbers(json: string): number[] {
  return z.array(z.number()).parse(JSON.parse(json))
}

/** Row → contract: the course, and how much of the quota its day has used. */
function toItem<T extends { quotaUsedAt: number[] }>(
  { quotaUsedAt, ...row }: T,
  course: string,
  dayStart: number,
) {
  return { ...row, course, quotaUsed: quotaUsedAt.filter((at) => at >= dayStart).length }
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

/** Which page of a course's problems. */
export interface ProblemFilter {
  name?: string | undefined
  tags: string[]
  after: number
  limit: number
  now: number
}

/**
 * A page of a course's problems the caller may see, by id, one more than `limit`, and in the same round trip what
 * the caller is there. Undefined without such a course.
 */
export async function listProblems(
  db: Db,
  user: SessionUser,
  courseName: string,
  { name, tags, after, limit, now }: ProblemFilter,
): Promise<{ course: CourseStanding; items: ProblemItem[] } | undefined> {
  const [found, rows] = await db.batch([
    selectStanding(db, user, courseName),
    db
      .select(itemColumns(user, now))
      .from(courses)
      .leftJoin(memberships, ownMembership(user))
      .innerJoin(problems, eq(problems.courseId, courses.id))
      .leftJoin(problemResults, ownResult(user))
      .where(
        and(
          eq(courses.name, courseName),
          isNull(courses.deletedAt),
          gt(problems.id, after),
          visibleBy(standingOf(user), now),
          name ? sql`instr(lower(${problems.name}), lower(${name})) > 0` : undefined,
          tags.length > 0 ? hasTags(tags) : undefined,
        ),
      )
      .orderBy(asc(problems.id))
      .limit(limit + 1),
  ])
  const course = found[0]
  if (!course) return undefined
  const day = calendarDay(now, course.timeZone)
  return { course, items: rows.map((row) => toItem(row, course.name, day.start)) }
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

/**
 * A problem with everything on it, for staff (students must not see its `compare` in full), and its place, if the
 * caller may see it; in one round trip.
 */
export async function getProblem(
  db: Db,
  user: SessionUser,
  problemId: number,
  now: number,
): Promise<{ place: ProblemPlace; problem: ManagedProblem } | undefined> {
  const [places, rows, tasks] = await db.batch([
    selectPlace(db, user, problemId, now),
    db
      .select({
        ...itemColumns(user, now),
        ...named({
          owner: users.username,
          description: problems.description,
          compare: problems.compare,
          testDataVersion: problems.testDataVersion,
        }),
      })
      .from(problems)
      .leftJoin(problemResults, ownResult(user))
      .innerJoin(users, eq(users.id, problems.ownerId))
      .where(eq(problems.id, problemId)),
    selectSubtasks(db, problemId),
  ])
  const [place, row] = [places[0], rows[0]]
  if (!place || !row) return undefined
  const day = calendarDay(now, place.timeZone)
  const problem = {
    ...toItem(row, place.course, day.start),
    testCase: tasks.map(toSubtask),
    quotaResetAt: day.end,
    canManage: can(place.standing, 'problem.write'),
  }
  return { place, problem }
}
