/** Marks after a verdict. */
import { sql } from 'drizzle-orm'
import { rawQuery, type Db } from '../../db/client.ts'
import { gradebookColumns, homeworkProblems, staleMarks, submissions } from '../../db/schema.ts'
import { refreshMarks } from './refresh.ts'

/** The course of a judged submission with its person, where the verdict has made marks stale. */
async function findJudged(
  db: Db,
  submissionId: string,
): Promise<{ courseId: number; userId: number } | undefined> {
  const { courseId, id, homeworkId } = gradebookColumns
  const [row] = await rawQuery<{ courseId: number; userId: number }>(
    db,
    sql`select ${courseId} as courseId, ${staleMarks.userId} as userId from ${submissions}
      cross join ${homeworkProblems} on ${homeworkProblems.problemId} = ${submissions.problemId}
      cross join ${gradebookColumns} on ${homeworkId} = ${homeworkProblems.homeworkId}
      cross join ${staleMarks} on ${staleMarks.columnId} = ${id} and ${staleMarks.userId} = ${submissions.userId}
      where ${submissions.id} = ${submissionId} limit 1`,
  )
  return row
}

/** Computes the marks that the verdict of a submission has made stale. @param now epoch seconds */
export async function refreshJudged(db: Db, submissionId: string, now: number): Promise<void> {
  const judged = await findJudged(db, submissionId)
  if (judged) await refreshMarks(db, judged.courseId, [judged.userId], now)
}
