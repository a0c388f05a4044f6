/** Asking, answering, resolving and reading questions. */
import { and, eq, ne, or, sql, type SQL } from 'drizzle-orm'
import { fieldMessage } from '#contract/fields'
import { can } from '#contract/roles'
import { rawQuery, type Db } from '../../db/client.ts'
import { isVersion } from '../../db/edits.ts'
import { FIRST_KEY } from '../../db/people.ts'
import { takeToken, wasAllowed } from '../../db/rate-limits.ts'
import {
  dateRequests,
  questionMessages,
  questions,
  submissionSources,
  users,
} from '../../db/schema.ts'
import { insertSelect } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
import { demandTokens } from '../../http/rate-limit.ts'
import { newHexId } from '../../lib/ids.ts'
import { readPacked } from '../storage/pack-queries.ts'
import { noticeOfMessage } from './notices.ts'
import { isAbout, type QuestionAbout, type QuestionAccess, type Subject } from './queries.ts'

/**
 * The most messages of the student, and the most of staff, in all questions about one submission, in one student's questions about
 * one problem, in one student's requests in one homework, or in one student's questions about one mark.
 */
export const MOST_MESSAGES = 100

/**
 * The bytes that a student may write in questions: `burst` at once, and as many again per day. Each message counts `messageBytes`
 * more than its text. That allows 60 short messages at once and one more every 23 minutes, or 90 MB in a year. Staff have no budget.
 */
export const QUESTION_BUDGET = {
  burst: 256 * 1024,
  intervalMs: 86_400_000 / (256 * 1024),
  messageBytes: 4 * 1024,
} as const

/** A new question. `submissionId` and `line`: both are set or neither. */
interface NewQuestion extends QuestionAbout {
  line: number | null
}

/** A person's message. `key`: the call's Idempotency-Key, null without one. */
export interface NewText {
  markdown: string
  key: string | null
}

/** The bucket of a person's bytes in questions, see `QUESTION_BUDGET`. */
export function budgetOf(userId: number): string {
  return `question:user:${userId}`
}

/** The condition that the student, or staff, may write one more message about a subject. */
export function hasRoom(about: Subject, isOfStudent: boolean): SQL {
  const isOfSide = (isOfStudent ? eq : ne)(questionMessages.authorId, about.studentId)
  return sql`(select count(*) from ${questions}
    join ${questionMessages} on ${questionMessages.questionId} = ${questions.id}
    where ${isAbout(about)} and ${isOfSide}) < ${MOST_MESSAGES}`
}

/** The statements and conditions that every new message needs in its batch. */
export function prepareMessage(
  db: Db,
  about: QuestionAbout,
  { markdown, ...text }: NewText,
  { actor, now }: Change,
) {
  const id = newHexId(Date.now())
  const key = text.key ?? id
  const bucket = budgetOf(actor.id)
  const isLimited = !can(about.standing, 'question.answer')
  const isByKey = and(
    eq(questionMessages.authorId, actor.id),
    eq(questionMessages.idempotencyKey, key),
  )
  const isNew = sql`not exists (select 1 from ${questionMessages} where ${isByKey})`
  const fits = sql`${isNew} and ${hasRoom(about, actor.id === about.studentId)}`
  const may = isLimited ? sql`${fits} and ${wasAllowed(bucket)}` : fits
  return {
    id,
    /** Takes the message from a student's budget. */
    rate: takeToken(
      db,
      bucket,
      QUESTION_BUDGET,
      Date.now(),
      isLimited ? isNew : sql`false`,
      Buffer.byteLength(markdown) + QUESTION_BUDGET.messageBytes,
    ),
    /** Whether the message may be written. */
    may,
    /** Writes the message into an existing question. */
    insert: (questionId: string) =>
      insertSelect(
        db,
        questionMessages,
        { id, questionId, authorId: actor.id, markdown, idempotencyKey: key, createdAt: now },
        sql`from ${questions} where ${questions.id} = ${questionId} and ${may}`,
      ),
    /** The message with the key, from this call or an earlier one. */
    found: db
      .select({
        markdown: questionMessages.markdown,
        questionId: questionMessages.questionId,
        problemId: questions.problemId,
        submissionId: questions.submissionId,
        line: questions.line,
        homeworkId: questions.homeworkId,
        columnId: questions.columnId,
        teacherOnly: questions.teacherOnly,
        due: dateRequests.due,
      })
      .from(questionMessages)
      .innerJoin(questions, eq(questions.id, questionMessages.questionId))
      .leftJoin(dateRequests, eq(dateRequests.questionId, questions.id))
      .where(isByKey),
  }
}

/** The lines of a submission's code, as the web app counts them. */
const lineCount = sql<number>`1 + length(${submissionSources.code})
    - length(cast(replace(cast(${submissionSources.code} as text), char(10), '') as blob))`

/**
 * The lines of an old submission, whose code is in a pack; null for any other.
 * @throws AppError `object_lost` when the bucket has lost the pack
 */
export async function countPackedLines(
  bucket: R2Bucket,
  db: Db,
  submissionId: string,
): Promise<number | null> {
  const packed = (await readPacked(bucket, db, [submissionId])).get(submissionId)
  if (packed === null) throw new AppError('object_lost')
  // If the pack has no record of the submission, it was taken out just now.
  if (!packed) return null
  return packed.code.toString('latin1').split('\n').length
}

/** The refusal of a line that the code does not have. */
function noSuchLine(max: number): AppError {
  const message = fieldMessage('max_value', { max })
  return new AppError('bad_body', [{ path: ['line'], code: 'max_value', message, params: { max } }])
}

/**
 * Begins a question.
 * @param packedLines `countPackedLines` of its submission
 * @returns its id; with the Idempotency-Key of an earlier call, the id of that call's question
 */
export async function insertQuestion(
  db: Db,
  { standing, timeZone, ...about }: NewQuestion,
  text: NewText,
  change: Change,
  packedLines: number | null = null,
): Promise<string> {
  const { problemId, submissionId, line, studentId } = about
  const { actor, now } = change
  const message = prepareMessage(db, { standing, timeZone, ...about }, text, change)
  const questionId = newHexId(Date.now())
  const isOwn = actor.id === studentId
  const lines = sql`coalesce(${packedLines}, (select ${lineCount} from ${submissionSources}
    where ${submissionSources.submissionId} = ${submissionId}))`
  // A question about an erased person's work would stay for good.
  const isNobody = sql`exists (select 1 from ${users}
    where ${users.id} = ${studentId} and ${users.usernameKey} < ${FIRST_KEY})`
  const isBegun = sql`exists (select 1 from ${questions} where ${questions.id} = ${questionId})`
  const [rates, , , [found], [facts]] = await db.batch([
    message.rate,
    insertSelect(
      db,
      questions,
      {
        id: questionId,
        ...about,
        state: isOwn ? 'open' : 'answered',
        unread: !isOwn,
        version: 1,
        createdAt: now,
        updatedAt: now,
      },
      sql`where ${message.may} and not ${isNobody} and (${line} is null or ${line} <= ${lines})`,
    ),
    message.insert(questionId),
    message.found,
    rawQuery<{ lines: number | null; isNobody: 0 | 1 }>(
      db,
      sql`select ${lines} as lines, ${isNobody} as isNobody`,
    ),
    ...noticeOfMessage(db, { timeZone, ...about }, questionId, change, isBegun),
  ])
  if (found) {
    const isSame =
      found.markdown === text.markdown &&
      found.problemId === problemId &&
      found.submissionId === submissionId &&
      found.line === line
    if (!isSame) throw new AppError('idempotency_mismatch')
    return found.questionId
  }
  demandTokens([rates])
  if (facts?.isNobody) throw new AppError('submitter_erased')
  if (line !== null && facts?.lines && line > facts.lines) throw noSuchLine(facts.lines)
  throw new AppError('too_many_messages')
}

/** Adds a message to a question; with the Idempotency-Key of an earlier call it adds nothing. */
export async function insertMessage(
  db: Db,
  { questionId, ...about }: QuestionAccess,
  text: NewText,
  change: Change,
): Promise<void> {
  const message = prepareMessage(db, about, text, change)
  const isOwn = change.actor.id === about.studentId
  const isWritten = sql`exists (select 1 from ${questionMessages} where ${questionMessages.id} = ${message.id})`
  // Staff know already that an open question waits.
  const isNews = sql`${isWritten} and (not ${isOwn} or exists (select 1 from ${questions}
    where ${questions.id} = ${questionId} and ${questions.state} <> 'open'))`
  const [rates, , , , , [found]] = await db.batch([
    message.rate,
    message.insert(questionId),
    ...noticeOfMessage(db, about, questionId, change, isNews),
    db
      .update(questions)
      .set({
        // A student may write without having seen the newest answer, so the question stays unread.
        ...(isOwn ? { state: 'open' } : { state: 'answered', unread: true }),
        version: sql`${questions.version} + 1`,
        updatedAt: change.now,
      })
      .where(and(eq(questions.id, questionId), isWritten)),
    message.found,
  ])
  if (found?.questionId === questionId && found.markdown === text.markdown) return
  if (found) throw new AppError('idempotency_mismatch')
  demandTokens([rates])
  throw new AppError('too_many_messages')
}

/**
 * Resolves a question; if its student does so, they have seen it. A resolved question stays resolved.
 * @param basedOn version that was read: a question with a later message is not resolved and stays unread
 */
export async function resolveQuestion(
  db: Db,
  { questionId, studentId }: QuestionAccess,
  basedOn: number | null,
  { actor }: Change,
): Promise<void> {
  const isAsRead = isVersion(questions.version, basedOn)
  const resolved = await db
    .update(questions)
    .set({
      state: 'resolved',
      version: sql`${questions.version} + (${questions.state} <> 'resolved')`,
      ...(actor.id === studentId && { unread: sql`${questions.unread} and not ${isAsRead}` }),
    })
    .where(and(eq(questions.id, questionId), or(isAsRead, eq(questions.state, 'resolved'))))
    .returning({ id: questions.id })
  if (resolved.length === 0) throw new AppError('stale_edit')
}

/** Notes that the student has seen a question up to a message. A newer one stays unread. */
export async function markRead(
  db: Db,
  { questionId }: QuestionAccess,
  messageId: string,
  { actor }: Change,
): Promise<void> {
  await db
    .update(questions)
    .set({ unread: false })
    .where(
      and(
        eq(questions.id, questionId),
        eq(questions.studentId, actor.id),
        eq(questions.unread, true),
        sql`not exists (select 1 from ${questionMessages}
          where ${questionMessages.questionId} = ${questionId} and ${questionMessages.id} > ${messageId})`,
      ),
    )
}
