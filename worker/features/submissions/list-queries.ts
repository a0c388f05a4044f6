/**
 * Lists of submissions by keyset. Every combination of filters is one to three ranges of one index
 * (`listIndexes` in the schema), merged by id, so that a page costs the same for any size of the table.
 */
import { and, eq, inArray, isNull, sql, type SQL } from 'drizzle-orm'
import { LANGUAGES } from '#contract/languages'
import type { Standing } from '#contract/roles'
import type { SubmissionItem } from '#contract/submissions'
import { STATUS, submissionStatus } from '#contract/verdicts'
import { named, type Db } from '../../db/client.ts'
import { userInfoColumns } from '../../db/people.ts'
import { courses, memberships, problems, submissions, users } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { literal } from '../../db/statements.ts'
import { ownMembership, standingOf } from '../../db/standing.ts'

/** The columns of a list item. */
export function itemColumns() {
  return {
    user: named(userInfoColumns(users)),
    ...named({
      submissionId: submissions.id,
      problemId: submissions.problemId,
      problemName: problems.name,
      course: courses.name,
      status: submissions.status,
      score: submissions.score,
      runTimeMs: submissions.runTimeMs,
      memoryKb: submissions.memoryKb,
      languageType: submissions.languageType,
      timestamp: submissions.createdAt,
      ip: submissions.ip,
    }),
  }
}

interface ItemRow extends Omit<
  SubmissionItem,
  'status' | 'ipAddr' | 'user' | 'runTime' | 'memoryUsage'
> {
  status: number
  runTimeMs: number | null
  memoryKb: number | null
  ip: string
  user: SubmissionItem['user']
}

/** Row → contract; the address only for staff. Field by field, because rows may hold more than everybody may see. */
export function toSubmissionItem(row: ItemRow, seesAddress: boolean): SubmissionItem {
  return {
    submissionId: row.submissionId,
    problemId: row.problemId,
    problemName: row.problemName,
    course: row.course,
    user: row.user,
    status: submissionStatus.parse(row.status),
    score: row.score,
    runTime: row.runTimeMs,
    memoryUsage: row.memoryKb,
    languageType: row.languageType,
    timestamp: row.timestamp,
    ...(seesAddress && { ipAddr: row.ip }),
  }
}

/** The filter of a list. `userId` limits it to one person; null: to nobody. */
export interface SubmissionFilter {
  courseId: number | null
  problemId?: number | undefined
  userId: number | null
  username?: string | undefined
  status?: number | undefined
  languageType?: number | undefined
  /** Only ids below. */
  before?: string | undefined
  offset: number
  limit: number
}

/** Where a list looks: in a problem, which must be of the course when both are given; in a course; or everywhere. */
function scopeOf({ problemId, courseId }: SubmissionFilter): { name: string; is: SQL } | undefined {
  if (problemId !== undefined && courseId !== null)
    return {
      name: '_problem',
      is: sql`${submissions.problemId} = (select ${problems.id} from ${problems} where ${problems.id} = ${problemId} and ${problems.courseId} = ${courseId})`,
    }
  if (problemId !== undefined)
    return { name: '_problem', is: sql`${submissions.problemId} = ${problemId}` }
  if (courseId !== null) return { name: '_course', is: sql`${submissions.courseId} = ${courseId}` }
  return undefined
}

/** The person of a list, by id, by name, or both, which must then agree. */
function personOf({ userId, username }: SubmissionFilter): { name: string; is: SQL } | undefined {
  if (username !== undefined)
    return {
      name: '_user',
      is: sql`${submissions.userId} = (select ${users.id} from ${users} where ${users.usernameKey} = ${username.toLowerCase()}
        and ${userId === null ? sql`1` : sql`${users.id} = ${userId}`})`,
    }
  return userId === null ? undefined : { name: '_user', is: sql`${submissions.userId} = ${userId}` }
}

/** A person's standing in the course of a problem; undefined without such a problem in a live course. */
export async function findProblemStanding(
  db: Db,
  user: SessionUser,
  problemId: number,
): Promise<Standing | undefined> {
  const found = await db
    .select({ standing: standingOf(user) })
    .from(problems)
    .innerJoin(courses, eq(courses.id, problems.courseId))
    .leftJoin(memberships, ownMembership(user))
    .where(and(eq(problems.id, problemId), isNull(courses.deletedAt)))
    .get()
  return found?.standing
}

/** The condition that the submission's course is not deleted; for a list of one course its guard has asked. */
const isInLiveCourse = sql`not exists (select 1 from ${courses} where ${courses.id} = ${submissions.courseId}
  and ${courses.deletedAt} is not null)`

/** The select of a page's ids, newest first, one more than `limit`. */
export function selectPageIds(filter: SubmissionFilter): SQL {
  const { status, languageType, before, limit, offset } = filter
  const parts = [
    scopeOf(filter),
    personOf(filter),
    status === undefined
      ? undefined
      : { name: '_status', is: sql`${submissions.status} = ${status}` },
  ].filter((part) => part !== undefined)
  const index = sql.raw(`submissions_by${parts.map((part) => part.name).join('')}`)
  const conditions = [
    ...parts.map((part) => part.is),
    ...(status === undefined ? [sql`${submissions.status} <> ${literal(STATUS.CLAIMED)}`] : []),
    ...(before === undefined ? [] : [sql`${submissions.id} < ${before}`]),
    ...(filter.courseId === null ? [isInLiveCourse] : []),
  ]
  const languages = languageType === undefined ? LANGUAGES.map(({ code }) => code) : [languageType]
  const ranges = languages.map(
    (code) => sql`select ${submissions.id} from ${submissions} indexed by ${index}
      where ${sql.join([...conditions, sql`${submissions.languageType} = ${code}`], sql` and `)}`,
  )
  return sql`${sql.join(ranges, sql` union all `)} order by id desc limit ${limit + 1} offset ${offset}`
}

/** A page of submissions, newest first, one more than `limit`. */
export async function listSubmissions(db: Db, filter: SubmissionFilter): Promise<ItemRow[]> {
  const rows = await db
    .select(itemColumns())
    .from(submissions)
    .innerJoin(problems, eq(problems.id, submissions.problemId))
    .innerJoin(courses, eq(courses.id, submissions.courseId))
    .innerJoin(users, eq(users.id, submissions.userId))
    .where(inArray(submissions.id, sql`(${selectPageIds(filter)})`))
  return rows.toSorted((left, right) => (left.submissionId < right.submissionId ? 1 : -1))
}
