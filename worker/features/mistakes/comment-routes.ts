/** Comments on the programs of everybody with the same mistake, a question each. */
import { sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { changeOf } from '../../http/change.ts'
import { idempotencyKeyOf } from '../../http/idempotency-key.ts'
import { tellCourse } from '../../http/live.ts'
import { route } from '../../http/route.ts'
import type { UserEnv } from '../../http/session.ts'
import { problemInPath } from '../problems/guard.ts'
import { insertComments, type Comment } from '../questions/comment-queries.ts'
import { commentedOf } from './mistake-queries.ts'

/** Tells the students of new comments, each of their own one. */
function tellStudents<E extends UserEnv>(
  c: Context<E>,
  courseId: number,
  comments: readonly Comment[],
): void {
  const own = new Map(comments.map(({ studentId, questionId }) => [studentId, questionId]))
  const among = sql`select value from json_each(${JSON.stringify([...own.keys()])})`
  const liveHintFor = (id: number) =>
    ({ kind: 'question', questionId: own.get(id) ?? '', isAnswer: true }) as const
  tellCourse(c, courseId, liveHintFor, 'course.read', among)
}

export const mistakeComments = [
  route(
    'POST /problem/:id/mistakes/:mistake/questions',
    problemInPath,
    async (c, { problem, params, body }) => {
      const { db } = c.var
      const text = { markdown: body.markdown, key: await idempotencyKeyOf(c) }
      const group = commentedOf(problem, params.mistake)
      const comments = await insertComments(db, problem, group, text, changeOf(c))
      tellStudents(c, problem.courseId, comments)
      return { people: comments.length }
    },
  ),
]
