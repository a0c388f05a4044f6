/** Comments on the programs of everybody with the same mistake, a question each. */
import { changeOf } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
import { idempotencyKeyOf } from '../../http/idempotency-key.ts'
import { route } from '../../http/route.ts'
import { problemInPath } from '../problems/guard.ts'
import { insertComments } from '../questions/comment-queries.ts'
import { tellStudents } from '../questions/tell.ts'
import { listGroup, selectUnsolved } from './mistake-queries.ts'

export const mistakeComments = [
  route(
    'POST /problem/:id/mistakes/:mistake/questions',
    problemInPath,
    async (c, { problem, params, body }) => {
      const { db } = c.var
      const text = { markdown: body.markdown, key: await idempotencyKeyOf(c) }
      const unsolved = selectUnsolved(problem, params.mistake)
      const comments = await insertComments(db, problem, unsolved, text, changeOf(c))
      if (comments.length === 0) {
        const group = await listGroup(db, problem, params.mistake)
        if (group.length === 0) throw new AppError('mistake_not_found')
      }
      tellStudents(c, problem.courseId, comments)
      return { people: comments.length }
    },
  ),
]
