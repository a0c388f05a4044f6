/** Requests for other dates: asking, deciding, their files, and their end. */
import { and, eq, isNull, sql } from 'drizzle-orm'
import { fieldMessage } from '#contract/fields'
import { REQUEST_LIMITS } from '#contract/limits'
import type { ProblemFile } from '#contract/problems/problem-files'
import type { NewRequest } from '#contract/questions'
import { rawQuery, type Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { insertNotice } from '../../db/notices.ts'
import { takeToken, wasAllowed } from '../../db/rate-limits.ts'
import { SWEEP } from '../../db/retention.ts'
import { dateRequests, homeworkDates, questions, users } from '../../db/schema.ts'
import { insertSelect } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
import { demandTokens } from '../../http/rate-limit.ts'
import { hexIdAt, newHexId } from '../../lib/ids.ts'
import { grantDue } from '../homeworks/override-queries.ts'
import type { HomeworkAccess } from '../homeworks/queries.ts'
import { noticeOfMessage } from './notices.ts'
import { toFile, type QuestionAccess } from './queries.ts'
import { budgetOf, prepareMessage, QUESTION_BUDGET } from './write-queries.ts'

/** The refusal of a due time that gives no more time. */
function notLater(ownDue: number): AppError {
  const params = { min: ownDue + 1 }
  const message = fieldMessage('min_value', params)
  return new AppError('bad_body', [{ path: ['due'], code: 'min_value', message, params }])
}

/** When a homework is due for a person. */
function dueOf(homeworkId: string | null, userId: number) {
  return sql<number>`(select ${homeworkDates.due} from ${homeworkDates}
    where ${homeworkDates.homeworkId} = ${homeworkId} and ${homeworkDates.userId} = ${userId})`
}

/**
 * Asks for another due time, later than the student's own.
 * @returns the question's id; with the Idempotency-Key of an earlier call, the id of that call's question
 */
export async function insertRequest(
  db: Db,
  { homeworkId, courseId, timeZone, standing }: HomeworkAccess,
  { due, teacherOnly, markdown }: NewRequest,
  key: string | null,
  change: Change,
): Promise<string> {
  const { actor, now } = change
  const about = { courseId, homeworkId, teacherOnly, studentId: actor.id }
  const whole = {
    ...about,
    timeZone,
    problemId: null,
    columnId: null,
    submissionId: null,
    standing,
  }
  const message = prepareMessage(db, whole, { markdown, key }, change)
  const id = newHexId(Date.now())
  const ownDue = dueOf(homeworkId, actor.id)
  const isBegun = sql`exists (select 1 from ${questions} where ${questions.id} = ${id})`
  const times = { createdAt: now, updatedAt: now }
  const [rates, , , , [found], [own]] = await db.batch([
    message.rate,
    insertSelect(
      db,
      questions,
      { id, ...about, state: 'open', unread: false, version: 1, ...times },
      sql`where ${message.may} and ${due} > ${ownDue}`,
    ),
    insertSelect(
      db,
      dateRequests,
      { questionId: questions.id, due },
      sql`from ${questions} where ${questions.id} = ${id}`,
    ),
    message.insert(id),
    message.found,
    rawQuery<{ due: number | null }>(db, sql`select ${ownDue} as due`),
    ...noticeOfMessage(db, whole, id, change, isBegun),
  ])
  if (found) {
    const isSame =
      found.markdown === markdown &&
      found.homeworkId === homeworkId &&
      found.due === due &&
      found.teacherOnly === teacherOnly
    if (!isSame) throw new AppError('idempotency_mismatch')
    return found.questionId
  }
  demandTokens([rates])
  const min = own?.due ?? null
  if (min === null) throw new AppError('homework_not_found')
  throw due > min ? new AppError('too_many_messages') : notLater(min)
}

/** The statements that note a decision, for the batch that carries it out. */
function noteDecision(
  db: Db,
  { questionId, courseId, timeZone, homeworkId, studentId }: QuestionAccess,
  isGranted: boolean,
  { actor, now }: Change,
) {
  const isThis = eq(questions.id, questionId)
  const granted = isGranted ? dueOf(homeworkId, studentId) : null
  const outcome = isGranted ? 'granted' : 'declined'
  const event = { courseId, timeZone, subjectId: questionId, actorId: actor.id, now }
  const { questionId: ofQuestion, outcome: earlier, grantedDue } = dateRequests
  return [
    demand(db, 'question_not_found', sql`exists (select 1 from ${questions} where ${isThis})`),
    ...insertNotice(
      db,
      { ...event, kind: 'request_answered', userId: studentId },
      sql`exists (select 1 from ${dateRequests} where ${ofQuestion} = ${questionId}
        and (${earlier} is not ${outcome} or ${grantedDue} is not ${granted}))`,
    ),
    db
      .update(dateRequests)
      .set({ outcome, grantedDue: granted })
      .where(eq(dateRequests.questionId, questionId)),
    db
      .update(questions)
      .set({
        state: 'answered',
        unread: true,
        version: sql`${questions.version} + 1`,
        updatedAt: now,
      })
      .where(isThis),
  ] as const
}

/**
 * Gives the student of a request a due time, but never an earlier one than they have, or with null declines. The override has no
 * reason, because the student's is private. Deciding again replaces the outcome alone: a due time that was given before stays.
 * @returns how many of the student's marks are kept
 */
export async function decideRequest(
  db: Db,
  question: QuestionAccess,
  homework: HomeworkAccess,
  due: number | null,
  change: Change,
): Promise<{ kept: number }> {
  const note = noteDecision(db, question, due !== null, change)
  if (due === null) {
    await db.batch(note)
    return { kept: 0 }
  }
  const student = await db
    .select({ username: users.username })
    .from(users)
    .where(eq(users.id, question.studentId))
    .get()
  if (!student) throw new AppError('question_not_found')
  return grantDue(db, homework, { ...student, due }, change, [...note])
}

/**
 * Gives an undecided request its file, in place of an earlier one. It counts as a message in the student's budget.
 * @throws Refusal `forbidden` once the request is decided
 */
export async function attachFile(
  db: Db,
  { questionId, studentId }: QuestionAccess,
  { fileId, name, type, size }: ProblemFile,
): Promise<void> {
  const isUndecided = and(eq(dateRequests.questionId, questionId), isNull(dateRequests.outcome))
  const bucket = budgetOf(studentId)
  const [rates] = await db.batch([
    takeToken(db, bucket, QUESTION_BUDGET, Date.now(), sql`true`, QUESTION_BUDGET.messageBytes),
    demand(db, 'forbidden', sql`exists (select 1 from ${dateRequests} where ${isUndecided})`),
    db
      .update(dateRequests)
      .set({ fileId, fileName: name, fileType: type, fileBytes: size })
      .where(and(isUndecided, wasAllowed(bucket))),
    db
      .update(questions)
      .set({ version: sql`${questions.version} + 1` })
      .where(and(eq(questions.id, questionId), wasAllowed(bucket))),
  ])
  demandTokens([rates])
}

/** The R2 key of a request's file. */
export function requestKeyOf(fileId: string): string {
  return `requests/${fileId}`
}

/** The file of a request and its key; undefined without one. */
export async function findRequestFile(db: Db, questionId: string) {
  const row = await db
    .select()
    .from(dateRequests)
    .where(eq(dateRequests.questionId, questionId))
    .get()
  const file = row && toFile(row)
  return file && row.fileId !== null ? { file, key: requestKeyOf(row.fileId) } : undefined
}

/** Of these keys, the keys of files that a request has. */
export async function listNamedRequestFiles(db: Db, keys: string[]): Promise<string[]> {
  const rows = await rawQuery<{ key: string }>(
    db,
    sql`select k.value as key from json_each(${JSON.stringify(keys)}) k
      where exists (select 1 from ${dateRequests} where ${dateRequests.fileId} = substr(k.value, ${requestKeyOf('').length + 1}))`,
  )
  return rows.map((row) => row.key)
}

/** Deletes some requests whose last message or decision is older than `REQUEST_LIMITS.keepDays`. @param now epoch seconds */
export async function deleteOldRequests(db: Db, now: number): Promise<void> {
  const before = now - REQUEST_LIMITS.keepDays * 86_400
  // Ids are ordered by time, so the primary key finds the few requests that are old enough.
  await db.delete(questions).where(
    sql`${questions.id} in (select ${questions.id} from ${dateRequests}
      cross join ${questions} on ${questions.id} = ${dateRequests.questionId}
      where ${dateRequests.questionId} < ${hexIdAt(before * 1000)} and ${questions.updatedAt} < ${before}
      limit ${SWEEP.purgedQuestions})`,
  )
}
