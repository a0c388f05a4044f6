/** Notices of messages in questions. */
import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { insertNotice } from '../../db/notices.ts'
import { questions } from '../../db/schema.ts'
import type { Change } from '../../http/change.ts'
import { readersOf, type QuestionAbout } from './queries.ts'

/** The statements that tell the other side of a question of a message: its student, or the staff who may read it. */
export function noticeOfMessage(
  db: Db,
  about: Omit<QuestionAbout, 'standing'>,
  questionId: string,
  { actor, now }: Change,
  when: SQL,
) {
  const { courseId, timeZone, studentId, homeworkId, columnId, teacherOnly } = about
  const event = { courseId, timeZone, subjectId: questionId, actorId: actor.id, now }
  if (actor.id !== studentId)
    return insertNotice(db, { ...event, kind: 'answer', userId: studentId }, when)
  const kind = columnId !== null ? 'regrade' : homeworkId !== null ? 'request' : 'question'
  return insertNotice(db, { ...event, kind, right: readersOf({ teacherOnly }) }, when)
}

/**
 * The statements that tell the students of new comments.
 * @param isNew the condition on `questions` that finds the comments, one of each student
 */
export function noticesOfComments(
  db: Db,
  { courseId, timeZone }: Pick<QuestionAbout, 'courseId' | 'timeZone'>,
  isNew: SQL,
  { actor, now }: Change,
) {
  const subjectId = sql`(select ${questions.id} from ${questions} where ${questions.studentId} = people.id
    and ${questions.courseId} = ${courseId} and ${isNew})`
  const userId = sql`select ${questions.studentId} from ${questions} where ${isNew}`
  const event = { courseId, timeZone, actorId: actor.id, now }
  return insertNotice(db, { ...event, kind: 'answer', userId, subjectId })
}
