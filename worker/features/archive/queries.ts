/** Reads what downloads hold, in pages, so that a whole course fits the memory of a Worker. */
import { and, asc, eq, getTableColumns, gt, isNull, sql } from 'drizzle-orm'
import type { UserInfo } from '#contract/fields'
import { LANGUAGES } from '#contract/languages'
import type { LanguageCode } from '#contract/languages/codes'
import { STATUS } from '#contract/verdicts'
import { aliasColumns, rawQuery, type Db } from '../../db/client.ts'
import { hasLabel } from '../../db/label-filter.ts'
import { userInfoColumns } from '../../db/people.ts'
import {
  announcements,
  lateDayBudgets,
  packs,
  problemFiles,
  problems,
  submissions,
  submissionSources,
  subtasks,
  testDataVersions,
  users,
} from '../../db/schema.ts'
import { inlineNumber } from '../../db/statements.ts'
import { selectStudents } from '../homeworks/people-queries.ts'

/** Texts of a problem or an announcement have up to a megabyte, rows of submissions 200 bytes. */
const PAGE = { texts: 10, submissions: 2_000 }

/** A submission, and where its code is. */
export interface ArchivedRow {
  id: string
  problemId: number
  username: string
  languageType: LanguageCode
  status: number
  score: number
  time: number
  /** Bytes of code. */
  bytes: number
  isPacked: 0 | 1
  key: string | null
  offset: number
  length: number
}

/** The columns of an `ArchivedRow`, and the joins they need after `submissions`. */
const rowColumns = sql`${submissions.id} as id, ${submissions.problemId} as problemId, ${users.username} as username,
  ${submissions.languageType} as languageType, ${submissions.status} as status, ${submissions.score} as score,
  ${submissions.createdAt} as time, coalesce(length(${submissionSources.code}), ${submissions.sourceBytes}, 0) as bytes,
  ${submissions.packId} is not null as isPacked, ${packs.objectKey} as key,
  ${submissions.packOffset} as offset, ${submissions.packBytes} as length`
const rowJoins = sql`cross join ${problems} on ${problems.id} = ${submissions.problemId} and ${problems.deletedAt} is null
  cross join ${users} on ${users.id} = ${submissions.userId}
  left join ${submissionSources} on ${submissionSources.submissionId} = ${submissions.id}
  left join ${packs} on ${packs.id} = ${submissions.packId}`

/** Pages of rows, until a page is not full. */
async function* pagesOf<Row>(
  size: number,
  pageAfter: (last: Row | undefined) => PromiseLike<Row[]>,
): AsyncGenerator<Row[]> {
  let page: Row[]
  let last: Row | undefined
  do {
    page = await pageAfter(last)
    last = page.at(-1)
    if (page.length > 0) yield page
  } while (page.length === size)
}

/**
 * All submissions of a course to problems that are not deleted, by language and id, as the index has them.
 * @param before only those with lower ids
 */
export async function* pagesOfSubmissions(
  db: Db,
  courseId: number,
  before: string,
): AsyncGenerator<ArchivedRow[]> {
  const pageOf = (code: LanguageCode, after: string) =>
    rawQuery<ArchivedRow>(
      db,
      sql`select ${rowColumns} from ${submissions} indexed by submissions_by_course ${rowJoins}
        where ${submissions.courseId} = ${courseId} and ${submissions.languageType} = ${code}
          and ${submissions.id} > ${after} and ${submissions.id} < ${before}
          and ${submissions.status} <> ${inlineNumber(STATUS.CLAIMED)}
        order by ${submissions.id} limit ${PAGE.submissions}`,
    )
  for (const { code } of LANGUAGES)
    yield* pagesOf<ArchivedRow>(PAGE.submissions, (last) => pageOf(code, last?.id ?? ''))
}

/** The submissions with these ids, by id. */
export async function* pagesOfIds(db: Db, ids: string[]): AsyncGenerator<ArchivedRow[]> {
  const inOrder = ids.toSorted()
  for (let from = 0; from < inOrder.length; from += PAGE.submissions) {
    const json = JSON.stringify(inOrder.slice(from, from + PAGE.submissions))
    yield await rawQuery<ArchivedRow>(
      db,
      sql`select ${rowColumns} from json_each(${json}) i
        cross join ${submissions} on ${submissions.id} = i.value ${rowJoins} order by i.key`,
    )
  }
}

/** The code of submissions that the database has. It comes as hex, which costs a fifth of D1's lists of numbers. */
export async function readCodes(db: Db, ids: string[]): Promise<Map<string, Buffer>> {
  if (ids.length === 0) return new Map()
  const rows = await rawQuery<{ id: string; code: string }>(
    db,
    sql`select ${submissionSources.submissionId} as id, hex(${submissionSources.code}) as code
      from json_each(${JSON.stringify(ids)}) i
      cross join ${submissionSources} on ${submissionSources.submissionId} = i.value`,
  )
  return new Map(rows.map(({ id, code }) => [id, Buffer.from(code, 'hex')]))
}

/** The students of a course by username. @param label only those with this label */
export function listStudents(db: Db, courseId: number, label?: number): PromiseLike<UserInfo[]> {
  return db
    .select(userInfoColumns(users))
    .from(users)
    .where(
      and(sql`${users.id} in (${selectStudents(courseId)})`, hasLabel(label, users.id, courseId)),
    )
    .orderBy(asc(users.usernameKey))
}

/** The budgets of late days of a course. */
export function listBudgets(db: Db, courseId: number) {
  const { courseId: _c, ...columns } = getTableColumns(lateDayBudgets)
  return db
    .select(columns)
    .from(lateDayBudgets)
    .where(eq(lateDayBudgets.courseId, courseId))
    .orderBy(asc(lateDayBudgets.id))
}

/** The announcements of a course, oldest first. */
export function pagesOfAnnouncements(db: Db, courseId: number) {
  const { id, title, markdown } = announcements
  return pagesOf<{ id: string; title: string; markdown: string }>(PAGE.texts, (last) =>
    db
      .select({ id, title, markdown })
      .from(announcements)
      .where(
        and(
          eq(announcements.courseId, courseId),
          isNull(announcements.deletedAt),
          gt(id, last?.id ?? ''),
        ),
      )
      .orderBy(asc(id))
      .limit(PAGE.texts),
  )
}

/** The problems of a course by id, each with the key of its active test data. */
function listProblems(db: Db, courseId: number, after: number) {
  const { id, name, status, tags, quota, allowedLanguage, description, compare } = problems
  return db
    .select({
      ...aliasColumns({ id, name, status, tags, quota, allowedLanguage, description, compare }),
      testDataKey: sql<string | null>`${testDataVersions.objectKey}`.as('testDataKey'),
    })
    .from(problems)
    .leftJoin(testDataVersions, eq(testDataVersions.id, problems.testDataVersion))
    .where(and(eq(problems.courseId, courseId), isNull(problems.deletedAt), gt(problems.id, after)))
    .orderBy(asc(problems.id))
    .limit(PAGE.texts)
}

/** A page of problems with their subtasks and files. */
async function withParts(db: Db, page: Awaited<ReturnType<typeof listProblems>>) {
  const json = JSON.stringify(page.map(({ id }) => id))
  const isOne = (table: typeof subtasks | typeof problemFiles) =>
    sql`${table.problemId} in (select value from json_each(${json}))`
  const [rows, files] = await db.batch([
    db.select().from(subtasks).where(isOne(subtasks)).orderBy(asc(subtasks.position)),
    db.select().from(problemFiles).where(isOne(problemFiles)).orderBy(asc(problemFiles.fileId)),
  ])
  return page.map((problem) => ({
    ...problem,
    subtasks: rows.filter(({ problemId }) => problemId === problem.id),
    files: files.filter(({ problemId }) => problemId === problem.id),
  }))
}

export type ArchivedProblem = Awaited<ReturnType<typeof withParts>>[number]

/** The problems of a course by id, with their subtasks and files. */
export async function* problemsOf(db: Db, courseId: number): AsyncGenerator<ArchivedProblem> {
  const pages = pagesOf<Awaited<ReturnType<typeof listProblems>>[number]>(PAGE.texts, (last) =>
    listProblems(db, courseId, last?.id ?? 0),
  )
  for await (const page of pages) yield* await withParts(db, page)
}
