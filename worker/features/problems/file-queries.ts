/** Files of statements: who may read them, and their rows. A copied problem has rows of its own that name the same objects. */
import { and, asc, eq, isNull, sql, type Placeholder } from 'drizzle-orm'
import type { ProblemFile } from '#contract/problems/problem-files'
import { PROBLEM_FILES } from '#contract/problems/problem-files'
import { insertAudit } from '../../db/audit.ts'
import { rawQuery, aliasColumns, type Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { courses, memberships, problemFiles, problems } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { ownMembership } from '../../db/standing.ts'
import { visibleBy } from '../../db/visibility.ts'
import type { Change } from '../../http/change.ts'

const COLUMNS = aliasColumns({
  fileId: problemFiles.fileId,
  name: problemFiles.name,
  type: problemFiles.type,
  size: problemFiles.sizeBytes,
})

/** The files of a problem, oldest first. */
export function selectFiles(db: Db, problemId: Placeholder) {
  return db
    .select(COLUMNS)
    .from(problemFiles)
    .where(eq(problemFiles.problemId, problemId))
    .orderBy(asc(problemFiles.fileId))
}

/** A file, if the caller sees a problem that has it. */
export async function findFile(
  db: Db,
  user: SessionUser,
  fileId: string,
  now: number,
): Promise<ProblemFile | undefined> {
  return db
    .select(COLUMNS)
    .from(problemFiles)
    .innerJoin(problems, eq(problems.id, problemFiles.problemId))
    .innerJoin(courses, eq(courses.id, problems.courseId))
    .leftJoin(memberships, ownMembership(user))
    .where(and(eq(problemFiles.fileId, fileId), isNull(courses.deletedAt), visibleBy(user, now)))
    .limit(1)
    .get()
}

/**
 * Stores a file's row.
 * @throws Refusal when the problem would have too many files, too many bytes, or is gone
 */
export async function insertFile(
  db: Db,
  problemId: number,
  { fileId, name, type, size }: ProblemFile,
  change: Change,
): Promise<void> {
  const { now } = change
  const hasRoom = sql`(select count(*) < ${PROBLEM_FILES.perProblem}
      and coalesce(sum(${problemFiles.sizeBytes}), 0) + ${size} <= ${PROBLEM_FILES.totalBytes}
      from ${problemFiles} where ${problemFiles.problemId} = ${problemId})
    and exists (select 1 from ${problems} where ${problems.id} = ${problemId} and ${problems.deletedAt} is null)`
  await db.batch([
    demand(db, 'too_many_files', hasRoom, PROBLEM_FILES),
    db
      .insert(problemFiles)
      .values({ problemId, fileId, name, type, sizeBytes: size, createdAt: now }),
    insertAudit(db, change, {
      action: 'problem.file',
      subject: String(problemId),
      detail: { name, sizeBytes: size },
    }),
  ])
}

/**
 * Removes a file from a problem. The sweeper deletes the object once no problem has it any more.
 * @throws Refusal 404 if the problem has no such file, 409 while its stored statement shows the file
 */
export async function deleteFile(
  db: Db,
  problemId: number,
  fileId: string,
  change: Change,
): Promise<void> {
  const has = and(eq(problemFiles.problemId, problemId), eq(problemFiles.fileId, fileId))
  const isShown = sql`exists (select 1 from ${problems}
    where ${problems.id} = ${problemId} and instr(${problems.description}, ${fileId}) > 0)`
  await db.batch([
    demand(db, 'file_not_found', sql`exists (select 1 from ${problemFiles} where ${has})`),
    demand(db, 'file_shown', sql`not ${isShown}`),
    db.delete(problemFiles).where(has),
    insertAudit(db, change, {
      action: 'problem.file_delete',
      subject: String(problemId),
      detail: { file: fileId },
    }),
  ])
}

/** The R2 key of a file. */
export function fileKeyOf(fileId: string): string {
  return `files/${fileId}`
}

/** Of these keys of files, the keys that belong to a problem. */
export async function listNamedFiles(db: Db, keys: string[]): Promise<string[]> {
  const rows = await rawQuery<{ key: string }>(
    db,
    sql`select k.value as key from json_each(${JSON.stringify(keys)}) k
      where exists (select 1 from ${problemFiles} where ${problemFiles.fileId} = substr(k.value, ${fileKeyOf('').length + 1}))`,
  )
  return rows.map((row) => row.key)
}
