/** Notices of messages in questions. */
import type { SQL } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { insertNotice } from '../../db/notices.ts'
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
