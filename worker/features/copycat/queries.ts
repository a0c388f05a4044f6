/** SQL of copy detection: programs and reports. */
import { and, eq, inArray, isNull, sql, type SQL } from 'drizzle-orm'
import type { CopycatReport, CopycatSide } from '#contract/copycat'
import { LANGUAGES } from '#contract/languages'
import type { LanguageCode } from '#contract/languages/codes'
import { STATUS } from '#contract/verdicts'
import { rawQuery, aliasColumns, type Db } from '../../db/client.ts'
import { userInfoColumns } from '../../db/people.ts'
import {
  copycatReports,
  courses,
  memberships,
  operations,
  problems,
  submissionSources,
  submissions,
  users,
  type StoredReport,
} from '../../db/schema.ts'
import { ownMembership, standingCan, standingOf } from '../../db/standing.ts'
import { inlineNumber } from '../../db/statements.ts'

/** The family of a submission's language: only programs of one family are compared. */
const FAMILY = sql`case ${submissions.languageType} ${sql.join(
  LANGUAGES.map(({ code, copyFamily }) => sql`when ${code} then ${copyFamily}`),
  sql` `,
)} end`

/** The people whose programs to compare. `usernames` null: everybody. */
export interface Selection {
  problemId: number
  usernames: string[] | null
}

/**
 * The newest accepted submission of each person and family, else the newest: `id, language_type`. People who may read all programs
 * are left out; people who left the course are not.
 */
export function chosenPrograms({ problemId, usernames }: Selection): SQL {
  const named =
    usernames === null
      ? sql`true`
      : sql`${users.usernameKey} in (select lower(value) from json_each(${JSON.stringify(usernames)}))`
  return sql`select id, language_type from (
      select ${submissions.id} as id, ${submissions.languageType} as language_type, row_number() over (
        partition by ${submissions.userId}, ${FAMILY}
        order by ${submissions.status} = ${inlineNumber(STATUS.AC)} desc, ${submissions.id} desc) as nth
      from ${submissions}
      join ${users} on ${users.id} = ${submissions.userId}
      join ${courses} on ${courses.id} = ${submissions.courseId}
      left join ${memberships} on ${ownMembership(users)}
      where ${submissions.problemId} = ${problemId} and ${submissions.status} <> ${inlineNumber(STATUS.CLAIMED)}
        and not ${standingCan(standingOf(users), 'submission.readAll')} and ${named})
    where nth = 1`
}

/** The programs to compare, the oldest first, with the bytes of their code. */
export async function listPrograms(
  db: Db,
  selection: Selection,
): Promise<{ id: string; languageType: LanguageCode; bytes: number }[]> {
  return rawQuery(
    db,
    sql`select p.id as id, p.language_type as languageType, coalesce(length(${submissionSources.code}), ${submissions.sourceBytes}, 0) as bytes
      from (${chosenPrograms(selection)}) p
      cross join ${submissions} on ${submissions.id} = p.id
      left join ${submissionSources} on ${submissionSources.submissionId} = p.id order by p.id`,
  )
}

/** The code of submissions; null where a pack has the code. */
export async function readSources(
  db: Db,
  ids: string[],
): Promise<{ id: string; code: Buffer | null }[]> {
  return db
    .select({ id: submissions.id, code: submissionSources.code })
    .from(submissions)
    .leftJoin(submissionSources, eq(submissionSources.submissionId, submissions.id))
    .where(inArray(submissions.id, ids))
}

/** The texts of a problem; undefined if the problem is deleted. */
export async function findStatement(db: Db, problemId: number) {
  return db
    .select({ description: problems.description })
    .from(problems)
    .where(and(eq(problems.id, problemId), isNull(problems.deletedAt)))
    .get()
}

/** The statement that stores a report. */
export function storingReport(
  db: Db,
  problemId: number,
  { report, common }: { report: StoredReport; common: Record<string, string> },
  now: number,
) {
  return db
    .update(copycatReports)
    .set({ report, common, createdAt: now })
    .where(eq(copycatReports.problemId, problemId))
}

/** Of these keys of stored tokens (`copycat/<operation>/<first program>`), the keys whose operation is not finished. */
export async function listOpenTokens(db: Db, keys: string[]): Promise<string[]> {
  const rows = await rawQuery<{ key: string }>(
    db,
    sql`select k.value as key from json_each(${JSON.stringify(keys)}) k
      cross join ${operations} on ${operations.id} = substr(k.value, 9, 24) and ${operations.finishedAt} is null`,
  )
  return rows.map((row) => row.key)
}

/** The columns of one program of a pair; the query has to join `users`. */
const sideColumns = {
  ...aliasColumns({
    submissionId: submissions.id,
    timestamp: submissions.createdAt,
    languageType: submissions.languageType,
  }),
  user: aliasColumns(userInfoColumns(users)),
}

/** The data of GET /copycat: the newest search, the newest report and its people. */
export async function getReport(db: Db, courseId: number, problemId: number) {
  const [rows, sides] = await db.batch([
    db
      .select({
        ...aliasColumns({ report: copycatReports.report, createdAt: copycatReports.createdAt }),
        ...aliasColumns({
          state: operations.state,
          done: operations.done,
          total: operations.total,
          error: operations.error,
        }),
      })
      .from(problems)
      .leftJoin(copycatReports, eq(copycatReports.problemId, problems.id))
      .leftJoin(operations, eq(operations.id, copycatReports.operationId))
      .where(
        and(
          eq(problems.id, problemId),
          eq(problems.courseId, courseId),
          isNull(problems.deletedAt),
        ),
      ),
    db
      .select(sideColumns)
      .from(submissions)
      .innerJoin(users, eq(users.id, submissions.userId))
      .where(
        sql`${submissions.id} in (select e.value from ${copycatReports}, json_each(${copycatReports.report}, '$.submissionIds') e
          where ${copycatReports.problemId} = ${problemId})`,
      ),
  ])
  return { row: rows[0], sides }
}

/** Stored report → contract. */
export function toReport(
  { submissionIds, pairs, ...numbers }: StoredReport,
  createTime: number,
  sides: readonly CopycatSide[],
): CopycatReport {
  const byId = new Map(sides.map((side) => [side.submissionId, side]))
  return {
    createTime,
    submissionCount: submissionIds.length,
    ...numbers,
    pairs: pairs.flatMap(([leftAt, rightAt, similarity, longest, overlap]) => {
      const left = byId.get(submissionIds[leftAt] ?? '')
      const right = byId.get(submissionIds[rightAt] ?? '')
      return left && right ? [{ left, right, similarity, longest, overlap }] : []
    }),
  }
}

/** Two submissions to a problem with their code, the older first, and the boilerplate of its report. */
export async function getPair(db: Db, problemId: number, ids: string[]) {
  const [rows, reports] = await db.batch([
    db
      .select({ ...sideColumns, ...aliasColumns({ code: submissionSources.code }) })
      .from(submissions)
      .innerJoin(users, eq(users.id, submissions.userId))
      .leftJoin(submissionSources, eq(submissionSources.submissionId, submissions.id))
      .where(and(inArray(submissions.id, ids), eq(submissions.problemId, problemId)))
      .orderBy(submissions.id),
    db
      .select({ common: copycatReports.common })
      .from(copycatReports)
      .where(eq(copycatReports.problemId, problemId)),
  ])
  return { rows, common: reports[0]?.common ?? {} }
}
