/** Questions about marks. */
import { can } from '#contract/roles'
import { changeOf } from '../../http/change.ts'
import { courseInPath } from '../../http/course-guard.ts'
import { AppError } from '../../http/errors.ts'
import { idempotencyKeyOf } from '../../http/idempotency-key.ts'
import { route } from '../../http/route.ts'
import { questionInPath } from './guard.ts'
import { decideRegrade, insertRegrade } from './regrade-queries.ts'
import { tellOtherSide } from './tell.ts'

export const regrades = [
  route(
    'POST /course/:name/gradebook/:columnId/questions',
    courseInPath,
    async (c, { course, params, body }) => {
      // Staff have no marks of their own.
      if (!can(course.standing, 'scoreboard.appear')) throw new AppError('forbidden')
      const { db, user } = c.var
      const text = { markdown: body.markdown, key: await idempotencyKeyOf(c) }
      const questionId = await insertRegrade(db, course, params.columnId, text, changeOf(c))
      tellOtherSide(c, { courseId: course.id, studentId: user.id, teacherOnly: false }, questionId)
      return { questionId }
    },
  ),
  route('POST /question/:id/regrade', questionInPath, async (c, { question, body }) => {
    await decideRegrade(c.var.db, question, body, changeOf(c))
    tellOtherSide(c, question, question.questionId)
  }),
]
