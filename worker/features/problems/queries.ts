/** Reads problems: lists and one. */
import { and, asc, eq, gt, isNull, sql, type Placeholder, type SQL } from 'drizzle-orm'
import * as z from 'zod'
import { QUOTA_UNLIMITED } from '#contract/limits'
import type { ManagedProblem, ProblemItem, Subtask } from '#contract/problems'
import { can } from '#contract/roles'
import { STATUS } from '#contract/verdicts'
import { bindValues, aliasColumns, preparedOnce, type Db } from '../../db/client.ts'
import { courseNameValues, COURSE_NAME, isNamed } from '../../db/course-names.ts'
import {
  courses,
  memberships,
  problemResults,
  problems,
  runners,
  submissions,
  subtasks,
  users,
} from '../../db/schema.ts'
import { takesJobs } from '../../db/queue-estimate.ts'
import { ownQuota } from '../../db/own-quota.ts'
import type { SessionUser } from '../../db/sessions.ts'
import {
  ASKER,
  askerValues,
  ownMembership,
  selectStanding,
  type CourseStanding,
} from '../../db/standing.ts'
import { calendarDay, LONGEST_DAY_SECONDS } from '../../lib/calendar-day.ts'
import { hexIdAt } from '../../lib/ids.ts'
import { inlineNumber } from '../../db/statements.ts'
import { visibleBy } from '../../db/visibility.ts'
import { selectProblemAccess, type ProblemAccess } from './access-queries.ts'
import { selectFiles } from './file-queries.ts'
import { neighboursOf, prepareNeighbours, toProblemHomework } from './neighbour-queries.ts'

/** The beginning of a period: epoch seconds, and an id that is not above any id of the period. */
interface Since {
  at: number | Placeholder
  id: string | Placeholder
}

/** The id is ten minutes earlier than `at`, because the id of a two-step submission is older than its code. */
function sinceOf(at: number) {
  return { at, id: hexIdAt((at - 600) * 1000) }
}

/**
 * A user's submissions to a problem that count against its quota, accepted since a time. The
 * condition on the id keeps the search within the index.
 */
function quotaUses(userId: number | Placeholder, problemId: SQL | number, since: Since): SQL {
  return sql`${submissions} where ${submissions.userId} = ${userId} and ${submissions.problemId} = ${problemId}
    and ${submissions.id} >= ${since.id} and ${submissions.quotaUsed} = 1 and ${submissions.acceptedAt} >= ${since.at}`
}

/** The number of a user's submissions to a problem that count against its quota since a time (epoch seconds). It reads each of them. */
export function quotaUsedSince(userId: number, problemId: number, dayStart: number): SQL<number> {
  return sql<number>`(select count(*) from ${quotaUses(userId, problemId, sinceOf(dayStart))})`
}

/** The placeholders of an item's queries, and their values. */
const NOW = sql.placeholder('now')
const LONGEST_DAY: Since = { at: sql.placeholder('since'), id: sql.placeholder('sinceId') }

function itemValues(user: SessionUser, now: number) {
  const { at, id } = sinceOf(now - LONGEST_DAY_SECONDS)
  return { ...askerValues(user), now, since: at, sinceId: id }
}

/**
 * The columns of a `ProblemItem` without the course's name; the query has to join `problemResults` by `ownResult`. A column
 * lists when the quota was used within the longest possible day; from these times `toItem` counts the uses in the course's own day.
 * Without a quota of one's own the list is empty.
 */
function itemColumns() {
  const quota = ownQuota(ASKER.id, NOW)
  return {
    ...aliasColumns({
      problemId: problems.id,
      problemName: problems.name,
      status: problems.status,
      type: problems.type,
      tags: problems.tags,
      quota: problems.quota,
      allowedLanguage: problems.allowedLanguage,
      highScore: problemResults.bestScore,
    }),
    ownQuota: quota.as('ownQuota'),
    quotaUsedAt: sql<number[]>`iif(${quota} = ${inlineNumber(QUOTA_UNLIMITED)}, '[]',
      (select json_group_array(${submissions.acceptedAt}) from ${quotaUses(ASKER.id, sql`${problems.id}`, LONGEST_DAY)}))`
      .mapWith(toNumbers)
      .as('quotaUsedAt'),
    submitCount: sql<number>`coalesce(${problemResults.tries}, 0)`.as('submitCount'),
    solved:
      sql<boolean>`coalesce(${problemResults.statusCounts} ->> ${inlineNumber(STATUS.AC)}, 0) > 0`
        .mapWith(Boolean)
        .as('solved'),
    hasTestData: sql<boolean>`${problems.testDataVersion} is not null`
      .mapWith(Boolean)
      .as('hasTestData'),
  }
}

/** Parses a JSON array of numbers from SQLite. */
function toNumbers(json: string): number[] {
  return z.array(z.number()).parse(JSON.parse(json))
}

/** Row → contract, with the course and the quota used in the course's day. */
function toItem<T extends { quotaUsedAt: number[] }>(
  { quotaUsedAt, ...row }: T,
  course: string,
  dayStart: number,
) {
  return { ...row, course, quotaUsed: quotaUsedAt.filter((at) => at >= dayStart).length }
}

/** The join condition for the caller's own result on the problem of the row. */
function ownResult(): SQL | undefined {
  return and(eq(problemResults.problemId, problems.id), eq(problemResults.userId, ASKER.id))
}

/** The condition that a problem has every tag of a JSON array. */
function hasTags(tags: Placeholder): SQL {
  return sql`not exists (select 1 from json_each(${tags}) w
    where w.value not in (select value from json_each(${problems.tags})))`
}

/** The filter of a page. */
interface ProblemFilter {
  name?: string | undefined
  tags: string[]
  after: number
  limit: number
  now: number
}

/** The queries of a page, prepared once per client. */
const pageQueries = preparedOnce((db) => {
  const name = sql.placeholder('name')
  return {
    course: selectStanding(db, ASKER, COURSE_NAME).prepare(),
    items: db
      .select(itemColumns())
      .from(courses)
      .leftJoin(memberships, ownMembership(ASKER))
      .innerJoin(problems, eq(problems.courseId, courses.id))
      .leftJoin(problemResults, ownResult())
      .where(
        and(
          isNamed(COURSE_NAME),
          isNull(courses.deletedAt),
          gt(problems.id, sql.placeholder('after')),
          visibleBy(ASKER, NOW),
          sql`instr(lower(${problems.name}), lower(${name})) > 0`,
          hasTags(sql.placeholder('tags')),
        ),
      )
      .orderBy(asc(problems.id))
      .limit(sql.placeholder('rows'))
      .prepare(),
  }
})

/**
 * A page of a course's problems that the caller may see, by id, one more than `limit`, with the caller's
 * standing, in one round trip. Undefined if there is no such course.
 */
export async function listProblems(
  db: Db,
  user: SessionUser,
  courseName: string,
  { name = '', tags, after, limit, now }: ProblemFilter,
): Promise<{ course: CourseStanding; items: ProblemItem[] } | undefined> {
  const page = pageQueries(db)
  const filter = { name, tags: JSON.stringify(tags), after, rows: limit + 1 }
  const values = { ...courseNameValues(courseName), ...filter, ...itemValues(user, now) }
  const [found, rows] = await db.batch([
    bindValues(page.course, values),
    bindValues(page.items, values),
  ])
  const course = found[0]
  if (!course) return undefined
  const day = calendarDay(now, course.timeZone)
  return { course, items: rows.map((row) => toItem(row, course.name, day.start)) }
}

/** Row → contract. */
export function toSubtask(row: typeof subtasks.$inferSelect): Subtask {
  return {
    caseCount: row.caseCount,
    taskScore: row.score,
    sample: row.isSample,
    memoryLimit: row.memoryLimitKb,
    timeLimit: row.timeLimitMs,
    outputLimit: row.outputLimitKb,
  }
}

/** The subtasks of a problem in order. */
export function selectSubtasks(db: Db, problemId: number | Placeholder) {
  return db
    .select()
    .from(subtasks)
    .where(eq(subtasks.problemId, problemId))
    .orderBy(asc(subtasks.position))
}

/** The queries of one problem, prepared once per client. */
const problemQueries = preparedOnce((db) => {
  const problemId = sql.placeholder('problemId')
  return {
    accesses: selectProblemAccess(db, ASKER, problemId, NOW).prepare(),
    rows: db
      .select({
        ...itemColumns(),
        ...aliasColumns({
          owner: users.username,
          description: problems.description,
          compare: problems.compare,
          testDataVersion: problems.testDataVersion,
        }),
        hasJudgeHost: sql<boolean>`exists (select 1 from ${runners} where ${takesJobs(NOW)})`
          .mapWith(Boolean)
          .as('hasJudgeHost'),
      })
      .from(problems)
      .leftJoin(problemResults, ownResult())
      .innerJoin(users, eq(users.id, problems.ownerId))
      .where(eq(problems.id, problemId))
      .prepare(),
    subtasks: selectSubtasks(db, problemId).prepare(),
    ...prepareNeighbours(db, problemId, NOW),
    files: selectFiles(db, problemId).prepare(),
  }
})

/**
 * Reads in one round trip a problem in full, as staff see it, and the caller's access; undefined if they may not see it. Students
 * must not see all of `compare`.
 */
export async function getProblem(
  db: Db,
  user: SessionUser,
  problemId: number,
  now: number,
): Promise<{ access: ProblemAccess; problem: ManagedProblem } | undefined> {
  const queries = problemQueries(db)
  const values = { problemId, ...itemValues(user, now) }
  const [accesses, rows, subtasks, files, homeworks, siblings, before, after] = await db.batch([
    bindValues(queries.accesses, values),
    bindValues(queries.rows, values),
    bindValues(queries.subtasks, values),
    bindValues(queries.files, values),
    bindValues(queries.homeworks, values),
    bindValues(queries.siblings, values),
    bindValues(queries.before, values),
    bindValues(queries.after, values),
  ])
  const [access, row] = [accesses[0], rows[0]]
  if (!access || !row) return undefined
  const day = calendarDay(now, access.timeZone)
  const problem = {
    ...toItem(row, access.course, day.start),
    testCase: subtasks.map(toSubtask),
    files,
    quotaResetAt: day.end,
    homeworks: homeworks.map(toProblemHomework),
    neighbours: neighboursOf(problemId, { siblings, before, after }),
    canManage: can(access.standing, 'problem.write'),
  }
  return { access, problem }
}
