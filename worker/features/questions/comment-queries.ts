/** Comments on the programs of many people, a question each. */
import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { ErrorCode } from '#contract/errors'
import { COUNT_LIMITS } from '#contract/limits'
import { aliasColumns, type Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { FIRST_KEY } from '../../db/people.ts'
import { judgements, questionMessages, questions, submissions, users } from '../../db/schema.ts'
import { insertSelect } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'
import { newHexId } from '../../lib/ids.ts'
import { noticesOfComments } from './notices.ts'
import type { QuestionAbout } from './queries.ts'
import { hasRoom, type NewText } from './write-queries.ts'

/** Digits that the ids of all comments of a call begin with; the others count them. A comment's question and message have the same id. */
const COMMON_DIGITS = 18

/** A comment that a call has written. */
export interface Comment {
  questionId: string
  studentId: number
}

/** Whom a comment is for. */
interface Commented {
  /** Selects `user_id` and `submission_id`, one row a person. */
  tries: SQL
  /** The condition without which the call is refused with this code. */
  demanded: readonly [code: ErrorCode, condition: SQL]
  /** The condition on `judgements` that a submission is of those meant; comments of a repeated call have to be on such ones. */
  isMeant: SQL
}

/** The condition that an id is of the call whose ids begin with these digits. */
function isOfCall(id: typeof questions.id | typeof questionMessages.id, digits: string | SQL): SQL {
  // 'g' sorts after every hex digit.
  return sql`(${id} >= ${digits} and ${id} < ${digits} || 'g')`
}

/** Selects the comments on submissions with these results, of which the message began the question. */
function selectComments(condition: SQL): SQL {
  return sql`select 1 from ${questionMessages}
    join ${questions} on ${questions.id} = ${questionMessages.questionId} and ${questions.id} = ${questionMessages.id}
    join ${submissions} on ${submissions.id} = ${questions.submissionId}
    join ${judgements} on ${judgements.id} = ${submissions.judgementId} where ${condition}`
}

/**
 * Writes a comment of staff on line 1 of each of these submissions; erased people get none, and neither do people about whose
 * submission staff have written as much as they may.
 * At most `COUNT_LIMITS.membersPerRequest` people get it.
 * @returns the comments; with the Idempotency-Key of an earlier call, those of that call
 */
export async function insertComments(
  db: Db,
  about: Pick<QuestionAbout, 'courseId' | 'timeZone'> & { problemId: number },
  { tries, demanded: [refusal, condition], isMeant }: Commented,
  { markdown, ...text }: NewText,
  change: Change,
): Promise<Comment[]> {
  const { courseId, problemId } = about
  const { actor, now } = change
  const digits = newHexId(Date.now()).slice(0, COMMON_DIGITS)
  const first = `${digits}000001`
  const key = text.key ?? first
  const isByKey = and(
    eq(questionMessages.authorId, actor.id),
    eq(questionMessages.idempotencyKey, key),
  )
  const isNew = isOfCall(questions.id, digits)
  const digitsByKey = sql`(select substr(${questionMessages.id}, 1, ${COMMON_DIGITS}) from ${questionMessages} where ${isByKey})`
  const submissionId = sql`t.submission_id`
  const subject = {
    problemId,
    homeworkId: null,
    columnId: null,
    submissionId,
    studentId: sql`t.user_id`,
  }
  const isKnown = sql`exists (select 1 from ${questionMessages} where ${isByKey})`
  const isRepeated = sql`${isByKey} and ${questionMessages.markdown} = ${markdown} and ${questions.problemId} = ${problemId} and ${isMeant}`
  const [, , , , , , written] = await db.batch([
    demand(db, refusal, sql`${isKnown} or ${condition}`),
    demand(
      db,
      'idempotency_mismatch',
      sql`not ${isKnown} or exists (${selectComments(isRepeated)})`,
    ),
    insertSelect(
      db,
      questions,
      {
        id: sql`${digits} || printf('%06x', row_number() over (order by t.user_id))`,
        courseId,
        problemId,
        teacherOnly: false,
        submissionId,
        line: 1,
        studentId: subject.studentId,
        state: 'answered',
        unread: true,
        version: 1,
        createdAt: now,
        updatedAt: now,
      },
      sql`from (${tries}) t join ${users} on ${users.id} = t.user_id and ${users.usernameKey} >= ${FIRST_KEY}
        where not ${isKnown} and ${hasRoom(subject, false)}
        order by t.user_id limit ${COUNT_LIMITS.membersPerRequest}`,
    ),
    insertSelect(
      db,
      questionMessages,
      {
        id: questions.id,
        questionId: questions.id,
        authorId: actor.id,
        markdown,
        // One of the messages has the key of the call.
        idempotencyKey: sql`iif(${questions.id} = ${first}, ${key}, ${questions.id})`,
        createdAt: now,
      },
      sql`from ${questions} where ${isNew}`,
    ),
    ...noticesOfComments(db, about, isNew, change),
    db
      .select(
        aliasColumns({
          questionId: questions.id,
          studentId: questions.studentId,
        }),
      )
      .from(questionMessages)
      .innerJoin(questions, eq(questions.id, questionMessages.questionId))
      .where(isOfCall(questionMessages.id, digitsByKey)),
  ])
  return written
}
