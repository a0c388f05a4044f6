/** Files of statements: who may read them, and their rows. A copied problem has rows of its own that name the same objects. */
import { and, asc, eq, isNull, not, sql, type Placeholder } from 'drizzle-orm'
import type { ProblemFile } from '#contract/problems/problem-files'
import { PROBLEM_FILES } from '#contract/problems/problem-files'
import { insertAudit } from '../../db/audit.ts'
import { rawQuery, aliasColumns, type Db } from '../../db/client.ts'
import { courses, memberships, problemFiles, problems } from '../../db/schema.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { ownMembership, standingOf } from '../../db/standing.ts'
import { insertSelect } from '../../db/statements.ts'
import { visibleBy } from '../../db/visibility.ts'
import type { Change } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'

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
    .where(
      and(
        eq(problemFiles.fileId, fileId),
        isNull(courses.deletedAt),
        visibleBy(standingOf(user), now),
      ),
    )
    .limit(1)
    .get()
}

/** Stores a file's row. False when the problem would have too many files, too many bytes, or is gone. */
export async function insertFile(
  db: Db,
  problemId: number,
  { fileId, name, type, size }: ProblemFile,
  change: Change,
): Promise<boolean> {
  const { now } = change
  const isStored = sql`exists (select 1 from ${problemFiles}
    where ${problemFiles.problemId} = ${problemId} and ${problemFiles.fileId} = ${fileId})`
  const [inserted] = await db.batch([
    insertSelect<typeof problemFiles, { file_id: string }>(
      db,
      problemFiles,
      { problemId, fileId, name, type, sizeBytes: size, createdAt: now },
      sql`from (select count(*) as files, coalesce(sum(${problemFiles.sizeBytes}), 0) as bytes
          from ${problemFiles} where ${problemFiles.problemId} = ${problemId})
        where files < ${PROBLEM_FILES.perProblem} and bytes + ${size} <= ${PROBLEM_FILES.totalBytes}
          and exists (select 1 from ${problems} where ${problems.id} = ${problemId} and ${problems.deletedAt} is null)
        returning ${problemFiles.fileId}`,
    ),
    insertAudit(db, change, {
      action: 'problem.file',
      subject: String(problemId),
      detail: { name, sizeBytes: size },
      when: isStored,
    }),
  ])
  return inserted.length > 0
}

/**
 * Removes a file from a problem. The sweeper deletes what no problem has any more.
 * @throws AppError 404 when it has none such, 409 while the stored statement shows it
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
  const is = and(has, not(isShown))
  const [, deleted, kept] = await db.batch([
    insertAudit(db, change, {
      action: 'problem.file_delete',
      subject: String(problemId),
      detail: { file: fileId },
      when: sql`exists (select 1 from ${problemFiles} where ${is})`,
    }),
    db.delete(problemFiles).where(is).returning({ fileId: problemFiles.fileId }),
    db.select({ fileId: problemFiles.fileId }).from(problemFiles).where(has),
  ])
  if (deleted.length === 0) throw new AppError(kept.length > 0 ? 'file_shown' : 'file_not_found')
}

/** The R2 key of a file. */
export function fileKeyOf(fileId: string): string {
  return `files/${fileId}`
}

/** Those of the keys of files that a problem has. */
export async function listNamedFiles(db: Db, keys: string[]): Promise<string[]> {
  const rows = await rawQuery<{ key: string }>(
    db,
    sql`select k.value as key from json_each(${JSON.stringify(keys)}) k
      where exists (select 1 from ${problemFiles} where ${problemFiles.fileId} = substr(k.value, ${fileKeyOf('').length + 1}))`,
  )
  return rows.map((row) => row.key)
}
