/** Questions about marks: asking, and deciding on them. */
import { and, eq, sql, type SQL } from 'drizzle-orm'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { isSettingOf } from '../../db/mark-settings.ts'
import { insertNotice } from '../../db/notices.ts'
import { courses, gradebookColumns, markSettings, questions, users } from '../../db/schema.ts'
import { columnTitle, isMarkShown } from '../../db/shown-marks.ts'
import type { CourseStanding } from '../../db/standing.ts'
import { insertSelect } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
import { demandTokens } from '../../http/rate-limit.ts'
import { newHexId } from '../../lib/ids.ts'
import { storeMarks } from '../gradebook/setting-queries.ts'
import { noticeOfMessage } from './notices.ts'
import type { QuestionAccess } from './queries.ts'
import { prepareMessage, type NewText } from './write-queries.ts'

/**
 * Asks staff to look at the caller's mark in a column again, which must be shown to the caller and not be the total.
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
  const { id: ofColumn, courseId: ofCourse, kind } = gradebookColumns
  const isAskable = sql`${ofColumn} = ${columnId} and ${ofCourse} = ${courseId} and ${kind} <> 'total' and ${isMarkShown(actor.id, now)}`
  const isBegun = sql`exists (select 1 from ${questions} where ${questions.id} = ${id})`
  const times = { createdAt: now, updatedAt: now }
  const [rates, , , [found], [column]] = await db.batch([
    message.rate,
    insertSelect(
      db,
      questions,
      { id, ...about, state: 'open', unread: false, version: 1, ...times },
      sql`where ${message.may} and exists (select 1 from ${gradebookColumns} where ${isAskable})`,
    ),
    message.insert(id),
    message.found,
    db.select({ id: ofColumn }).from(gradebookColumns).where(isAskable),
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

/** A decision on a question about a mark. `hundredths`: the points that staff set; null: the mark is kept. */
interface Decision {
  question: QuestionAccess
  columnId: number
  hundredths: number | null
}

/** The condition that a decision says something else than the one before, or answers a student who has written since. */
function isNews({ question, columnId, hundredths }: Decision): SQL {
  const { questionId, studentId } = question
  const setting = sql`(select ${markSettings.hundredths} from ${markSettings}
    where ${isSettingOf(sql`${columnId}`, sql`${studentId}`)})`
  const differs =
    hundredths === null
      ? sql`${questions.markOutcome} is not 'kept'`
      : sql`(${questions.markOutcome} is not 'changed' or ${setting} is not ${hundredths})`
  return sql`exists (select 1 from ${questions}
    where ${questions.id} = ${questionId} and (${questions.state} = 'open' or ${differs}))`
}

/** The statements that note a decision on a question about a mark, for the batch that carries it out afterwards. Sent again, they change nothing. */
function noteDecision(db: Db, decision: Decision, { actor, now }: Change) {
  const { questionId, courseId, timeZone, studentId } = decision.question
  const isThis = eq(questions.id, questionId)
  const event = { courseId, timeZone, subjectId: questionId, actorId: actor.id, now }
  const when = isNews(decision)
  return [
    demand(db, 'question_not_found', sql`exists (select 1 from ${questions} where ${isThis})`),
    ...insertNotice(db, { ...event, kind: 'regrade_answered', userId: studentId }, when),
    db
      .update(questions)
      .set({
        markOutcome: decision.hundredths === null ? 'kept' : 'changed',
        state: 'answered',
        unread: true,
        version: sql`${questions.version} + 1`,
        updatedAt: now,
      })
      .where(and(isThis, when)),
  ] as const
}

/** The course, the column and the student of a question about a mark. */
function selectCell(db: Db, { questionId }: QuestionAccess) {
  return db
    .select({
      course: courses.name,
      columnId: gradebookColumns.id,
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
 * before stay. The same decision again changes nothing, unless the student has written since.
 * @throws AppError `not_a_mark`
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
  const { course, column, columnId, username } = cell
  if (points === null) {
    const decision = { question, columnId, hundredths: null }
    await db.batch([
      insertAudit(db, change, {
        action: 'mark.keep',
        subject: String(columnId),
        detail: { course, column, username },
        when: isNews(decision),
      }),
      ...noteDecision(db, decision, change),
    ])
    return
  }
  const edits = [{ username, columnId, points, excused: false }]
  const decision = { question, columnId, hundredths: Math.round(points * 100) }
  const note = noteDecision(db, decision, change)
  await storeMarks(db, { id: question.courseId, name: course }, { edits, reason }, change, [
    ...note,
  ])
}
