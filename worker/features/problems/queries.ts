/** Problems: lists, one, create, change. */
import { and, asc, eq, gt, isNull, sql, type SQL } from 'drizzle-orm'
import type { Problem, ProblemForm, ProblemItem, Subtask } from '#contract/problems'
import { can, type Standing } from '#contract/roles'
import { insertAudit } from '../../db/audit.ts'
import { execute, type Db } from '../../db/client.ts'
import {
  courses,
  memberships,
  problems,
  submissions,
  subtasks,
  testDataVersions,
  users,
} from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { ownMembership, standingOf, type CourseStanding } from '../../db/standing.ts'
import type { Change } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
import { calendarDay } from '../../lib/calendar-day.ts'
import { hexIdAt } from '../../lib/ids.ts'
import { visibleBy, visibleTo } from './visibility.ts'

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

/** The columns of a `ProblemItem` but the course's name. */
function itemColumns(user: SessionUser, dayStart: number) {
  const own = sql`from ${submissions} o where o.user_id = ${user.id} and o.problem_id = problems.id and o.status <> -2`
  return {
    problemId: problems.id,
    problemName: problems.name,
    status: problems.status,
    type: problems.type,
    tags: problems.tags,
    quota: problems.quota,
    allowedLanguage: problems.allowedLanguage,
    quotaUsed: quotaUsedSince(user.id, sql`problems.id`, dayStart),
    submitCount: sql<number>`(select count(*) ${own})`,
    highScore: sql<number | null>`(select max(o.score) ${own} and o.status >= 0)`,
    hasTestData: sql<boolean>`${problems.testDataVersion} is not null`.mapWith(Boolean),
  }
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
    .where(
      and(
        eq(problems.courseId, course.id),
        gt(problems.id, filter.after),
        visibleTo(course.standing, filter.now),
        filter.name ? sql`instr(lower(${problems.name}), lower(${filter.name})) > 0` : undefined,
        ...filter.tags.map(
          (tag) => sql`exists (select 1 from json_each(${problems.tags}) where value = ${tag})`,
        ),
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
}

/** Where a problem is, if the caller may see it (contract §1: what one may not see does not exist). */
export async function findProblemPlace(
  db: Db,
  user: SessionUser,
  problemId: number,
  now: number,
): Promise<ProblemPlace | undefined> {
  const standing = standingOf(user)
  return db
    .select({
      problemId: problems.id,
      courseId: courses.id,
      course: courses.name,
      timeZone: courses.timeZone,
      standing,
      version: problems.version,
    })
    .from(problems)
    .innerJoin(courses, eq(courses.id, problems.courseId))
    .leftJoin(memberships, ownMembership(user))
    .where(and(eq(problems.id, problemId), isNull(courses.deletedAt), visibleBy(standing, now)))
    .get()
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

/** A problem with everything on it. The place says that the caller may see it. */
export async function getProblem(
  db: Db,
  user: SessionUser,
  place: ProblemPlace,
  now: number,
): Promise<Problem & { version: number }> {
  const day = calendarDay(now, place.timeZone)
  const [rows, tasks] = await db.batch([
    db
      .select({
        ...itemColumns(user, day.start),
        owner: users.username,
        description: problems.description,
        compare: problems.compare,
        testDataVersion: problems.testDataVersion,
        version: problems.version,
      })
      .from(problems)
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

/** Form → row. */
function toRow(form: ProblemForm) {
  return {
    name: form.problemName,
    status: form.status,
    type: form.type,
    tags: [...new Set(form.tags)],
    quota: form.quota,
    allowedLanguage: form.allowedLanguage,
    description: form.description,
    compare: form.compare,
  }
}

/** Inserts a form's subtasks, as one JSON parameter; nothing where the condition does not hold. */
function insertSubtasks(db: Db, problemId: number | SQL, form: ProblemForm, when = sql`1`) {
  return execute(
    db,
    sql`insert into ${subtasks}
    (problem_id, position, case_count, task_score, memory_limit_kb, time_limit_ms, output_limit_kb)
    select ${problemId}, key, value ->> 'caseCount', value ->> 'taskScore', value ->> 'memoryLimit',
      value ->> 'timeLimit', value ->> 'outputLimit'
    from json_each(${JSON.stringify(form.testCase)}) where ${when}`,
  )
}

/** Creates a problem and gives its id. */
export async function insertProblem(
  db: Db,
  course: CourseStanding,
  form: ProblemForm,
  { actor, ip, now }: Change,
): Promise<number> {
  const newest = sql`(select seq from sqlite_sequence where name = 'problems')`
  const [inserted] = await db.batch([
    db
      .insert(problems)
      .values({
        ...toRow(form),
        courseId: course.id,
        ownerId: actor.id,
        createdAt: now,
        updatedAt: now,
      })
      .returning({ id: problems.id }),
    insertSubtasks(db, newest, form),
    insertAudit(db, {
      actorId: actor.id,
      action: 'problem.create',
      subject: form.problemName,
      detail: { course: course.name },
      ip,
      now,
    }),
  ])
  const id = inserted[0]?.id
  if (id === undefined) throw new Error('D1 did not return the id of a new problem')
  return id
}

/**
 * Changes a problem. The test data in force are afterwards the newest upload that fits the subtasks:
 * a change of case counts puts unfitting data out of force, changing back puts them in again.
 * @param basedOn version the edit was made on; null overwrites whatever there is
 */
export async function updateProblem(
  db: Db,
  problemId: number,
  form: ProblemForm,
  basedOn: number | null,
  { actor, ip, now }: Change,
): Promise<void> {
  const caseCounts = JSON.stringify(form.testCase.map((task) => task.caseCount))
  const stillCurrent = basedOn === null ? sql`1` : sql`version = ${basedOn}`
  const [updated] = await db.batch([
    db
      .update(problems)
      .set({
        ...toRow(form),
        version: sql`version + 1`,
        updatedAt: now,
        testDataVersion: sql`(select v.id from ${testDataVersions} v where v.problem_id = ${problemId}
          and v.case_counts = ${caseCounts} order by v.id desc limit 1)`,
      })
      .where(and(eq(problems.id, problemId), stillCurrent))
      .returning({ version: problems.version }),
    // These three see the new version, and so do nothing when the update did not happen.
    execute(
      db,
      sql`delete from ${subtasks} where problem_id = ${problemId} and ${wasUpdated(problemId, basedOn)}`,
    ),
    insertSubtasks(db, problemId, form, wasUpdated(problemId, basedOn)),
    insertAudit(
      db,
      { actorId: actor.id, action: 'problem.edit', subject: String(problemId), ip, now },
      wasUpdated(problemId, basedOn),
    ),
  ])
  if (updated.length === 0) throw new AppError('stale_edit')
}

/** Whether the update of this very batch took place. */
function wasUpdated(problemId: number, basedOn: number | null): SQL {
  return basedOn === null
    ? sql`1`
    : sql`(select version from problems where id = ${problemId}) = ${basedOn + 1}`
}
