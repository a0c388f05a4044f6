/** Lists of submissions: their items, and who may see them. */
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Standing } from '#contract/roles'
import type { SubmissionItem } from '#contract/submissions'
import { submissionStatus } from '#contract/verdicts'
import { rawQuery, aliasColumns, type Db } from '../../db/client.ts'
import { userInfoColumns } from '../../db/people.ts'
import { courses, memberships, problems, submissions, users } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { ownMembership, standingOf } from '../../db/standing.ts'
import { selectPageIds, selectStop, type SubmissionFilter } from './page-ids.ts'

/** The columns of a list item. */
export function itemColumns() {
  return {
    user: aliasColumns(userInfoColumns(users)),
    ...aliasColumns({
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

/**
 * A page of submissions, newest first, one more than `limit`.
 * @returns the rows; and the id at which the search stopped, if the page is not full although older submissions are left
 */
export async function listSubmissions(
  db: Db,
  filter: SubmissionFilter,
): Promise<{ rows: ItemRow[]; stop: string | null }> {
  const [rows, [stopped]] = await db.batch([
    db
      .select(itemColumns())
      .from(submissions)
      .innerJoin(problems, eq(problems.id, submissions.problemId))
      .innerJoin(courses, eq(courses.id, submissions.courseId))
      .innerJoin(users, eq(users.id, submissions.userId))
      .where(inArray(submissions.id, sql`(${selectPageIds(filter)})`)),
    rawQuery<{ id: string | null }>(db, selectStop(filter)),
  ])
  return {
    rows: rows.toSorted((left, right) => (left.submissionId < right.submissionId ? 1 : -1)),
    stop: stopped?.id ?? null,
  }
}
