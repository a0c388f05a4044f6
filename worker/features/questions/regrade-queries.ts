/** Questions about marks: asking, and deciding on them. */
import { eq, sql } from 'drizzle-orm'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { insertNotice } from '../../db/notices.ts'
import { courses, gradebookColumns, questions, users } from '../../db/schema.ts'
import { columnTitle, isMarkShown } from '../../db/shown-marks.ts'
import type { CourseStanding } from '../../db/standing.ts'
import { insertSelect } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'
import { AppError, fieldRefused } from '../../http/errors.ts'
import { demandTokens } from '../../http/rate-limit.ts'
import { newHexId } from '../../lib/ids.ts'
import { storeMarks } from '../gradebook/setting-queries.ts'
import { noticeOfMessage } from './notices.ts'
import type { QuestionAccess } from './queries.ts'
import { prepareMessage, type NewText } from './write-queries.ts'

/**
 * Asks staff to look at the caller's mark in a column again, which must be shown to the caller.
 * @returns the question's id; with the Idempotency-Key of an earlier call, the id of that call's question
 * @throws AppError `column_not_found`, `too_many_messages`, `idempotency_mismatch`
 */
export async function insertRegrade(
  db: Db,
  { id: courseId, timeZone, standing }: CourseStanding,
  columnId: number,
  text: NewText,
  change: Change,
): Promise<string> {
  const { actor, now } = change
  const none = { problemId: null, homeworkId: null, submissionId: null, teacherOnly: false }
  const about = { ...none, courseId, columnId, studentId: actor.id }
  const message = prepareMessage(db, { ...about, timeZone, standing }, text, change)
  const id = newHexId(Date.now())
  const { id: ofColumn, courseId: ofCourse } = gradebookColumns
  const isShown = sql`${ofColumn} = ${columnId} and ${ofCourse} = ${courseId} and ${isMarkShown(actor.id, now)}`
  const isBegun = sql`exists (select 1 from ${questions} where ${questions.id} = ${id})`
  const times = { createdAt: now, updatedAt: now }
  const [rates, , , [found], [column]] = await db.batch([
    message.rate,
    insertSelect(
      db,
      questions,
      { id, ...about, state: 'open', unread: false, version: 1, ...times },
      sql`where ${message.may} and exists (select 1 from ${gradebookColumns} where ${isShown})`,
    ),
    message.insert(id),
    message.found,
    db.select({ id: ofColumn }).from(gradebookColumns).where(isShown),
    ...noticeOfMessage(db, { ...about, timeZone }, id, change, isBegun),
  ])
  if (found) {
    if (found.markdown !== text.markdown || found.columnId !== columnId)
      throw new AppError('idempotency_mismatch')
    return found.questionId
  }
  demandTokens([rates])
  throw new AppError(column ? 'too_many_messages' : 'column_not_found')
}

/** The statements that note a decision on a question about a mark, for the batch that carries it out. */
function noteDecision(
  db: Db,
  { questionId, courseId, timeZone, studentId }: QuestionAccess,
  markOutcome: 'changed' | 'kept',
  { actor, now }: Change,
) {
  const isThis = eq(questions.id, questionId)
  const event = { courseId, timeZone, subjectId: questionId, actorId: actor.id, now }
  return [
    demand(db, 'question_not_found', sql`exists (select 1 from ${questions} where ${isThis})`),
    ...insertNotice(db, { ...event, kind: 'regrade_answered', userId: studentId }),
    db
      .update(questions)
      .set({
        markOutcome,
        state: 'answered',
        unread: true,
        version: sql`${questions.version} + 1`,
        updatedAt: now,
      })
      .where(isThis),
  ] as const
}

/** The course, the column and the student of a question about a mark. */
function selectCell(db: Db, { questionId }: QuestionAccess) {
  return db
    .select({
      course: courses.name,
      columnId: gradebookColumns.id,
      kind: gradebookColumns.kind,
      column: columnTitle,
      username: users.username,
    })
    .from(questions)
    .innerJoin(courses, eq(courses.id, questions.courseId))
    .innerJoin(gradebookColumns, eq(gradebookColumns.id, questions.columnId))
    .innerJoin(users, eq(users.id, questions.studentId))
    .where(eq(questions.id, questionId))
}

/**
 * Decides on a question about a mark: sets other points, or with null keeps the mark. Deciding again replaces the outcome; points that were set
 * before stay.
 * @throws AppError `not_a_mark`; `bad_body` for points of a total, which follows its columns
 */
export async function decideRegrade(
  db: Db,
  question: QuestionAccess,
  { points, reason }: { points: number | null; reason: string },
  change: Change,
): Promise<void> {
  if (question.columnId === null) throw new AppError('not_a_mark')
  const cell = await selectCell(db, question).get()
  if (!cell) throw new AppError('question_not_found')
  const { course, column, columnId, kind, username } = cell
  if (points === null) {
    await db.batch([
      ...noteDecision(db, question, 'kept', change),
      insertAudit(db, change, {
        action: 'mark.keep',
        subject: String(columnId),
        detail: { course, column, username },
      }),
    ])
    return
  }
  if (kind === 'total') throw fieldRefused(['points'], 'invalid', 'Value is not valid')
  const edits = [{ username, columnId, points, excused: false }]
  const note = noteDecision(db, question, 'changed', change)
  await storeMarks(db, { id: question.courseId, name: course }, { edits, reason }, change, [
    ...note,
  ])
}
