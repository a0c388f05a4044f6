/** Hints about questions for open pages. */
import type { Context } from 'hono'
import { tellCourse, tellPages } from '../../http/live.ts'
import type { UserEnv } from '../../http/session.ts'
import { readersOf, type QuestionAbout } from './queries.ts'

/** Tells the other side of a question that there is something new: its student, or the staff who may read it. */
export function tellOtherSide<E extends UserEnv>(
  c: Context<E>,
  about: Pick<QuestionAbout, 'courseId' | 'studentId' | 'teacherOnly'>,
  questionId: string,
): void {
  const { courseId, studentId } = about
  const isAnswer = studentId !== c.var.user.id
  const hint = { kind: 'question', questionId, isAnswer } as const
  if (isAnswer) tellPages(c, studentId, hint)
  else tellCourse(c, courseId, hint, readersOf(about))
}
