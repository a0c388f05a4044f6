/** Hints about questions for open pages. */
import { sql } from 'drizzle-orm'
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

/** Tells the students of new comments, each of their own one. */
export function tellStudents<E extends UserEnv>(
  c: Context<E>,
  courseId: number,
  comments: readonly { studentId: number; questionId: string }[],
): void {
  const own = new Map(comments.map(({ studentId, questionId }) => [studentId, questionId]))
  const among = sql`select value from json_each(${JSON.stringify([...own.keys()])})`
  const hintFor = (id: number) =>
    ({ kind: 'question', questionId: own.get(id) ?? '', isAnswer: true }) as const
  tellCourse(c, courseId, hintFor, 'course.read', among)
}
