/** Reads the questions of a person's export in pages, in the order of ids, oldest first. */
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import {
  courses,
  dateRequests,
  gradebookColumns,
  homeworks,
  questionMessages,
  questions,
} from '../../db/schema.ts'
import { columnTitle } from '../../db/shown-marks.ts'

/** Rows of a page: with messages of the greatest length they are six megabytes. */
const PAGE = 500

/** The next page of the person's own questions; a request with what it asks for, and the path of its file; of a question about a mark the column. */
export async function listOwnQuestions(db: Db, userId: number, afterId: string) {
  const { due, outcome, grantedDue, fileName, fileType, fileBytes } = dateRequests
  const rows = await db
    .select({
      questionId: questions.id,
      course: courses.name,
      problemId: questions.problemId,
      submissionId: questions.submissionId,
      line: questions.line,
      state: questions.state,
      createTime: questions.createdAt,
      homework: homeworks.name,
      teacherOnly: questions.teacherOnly,
      columnId: questions.columnId,
      column: columnTitle,
      markOutcome: questions.markOutcome,
      request: { due, outcome, grantedDue },
      file: { name: fileName, type: fileType, size: fileBytes },
    })
    .from(questions)
    .innerJoin(courses, eq(courses.id, questions.courseId))
    .leftJoin(homeworks, eq(homeworks.id, questions.homeworkId))
    .leftJoin(gradebookColumns, eq(gradebookColumns.id, questions.columnId))
    .leftJoin(dateRequests, eq(dateRequests.questionId, questions.id))
    .where(and(eq(questions.studentId, userId), gt(questions.id, afterId)))
    .orderBy(asc(questions.id))
    .limit(PAGE)
  return rows.map(
    ({ homework, teacherOnly, request, file, columnId, column, markOutcome, ...row }) => ({
      ...row,
      mark: columnId === null ? null : { column, outcome: markOutcome },
      request: request && {
        homework,
        ...request,
        teacherOnly,
        file: file && { ...file, path: `/api/question/${row.questionId}/file` },
      },
    }),
  )
}

/** The next page of all messages in the person's own questions, and of the person's messages in other people's questions. */
export async function listOwnMessages(db: Db, userId: number, afterId: string) {
  const ids = sql`select ${questionMessages.id} from ${questionMessages} where ${questionMessages.authorId} = ${userId}
    union select ${questionMessages.id} from ${questions}
      join ${questionMessages} on ${questionMessages.questionId} = ${questions.id}
      where ${questions.studentId} = ${userId}`
  return db
    .select({
      messageId: questionMessages.id,
      questionId: questionMessages.questionId,
      own: sql<boolean>`${questionMessages.authorId} = ${userId}`.mapWith(Boolean),
      markdown: questionMessages.markdown,
      createTime: questionMessages.createdAt,
    })
    .from(questionMessages)
    .where(and(sql`${questionMessages.id} in (${ids})`, gt(questionMessages.id, afterId)))
    .orderBy(asc(questionMessages.id))
    .limit(PAGE)
}
