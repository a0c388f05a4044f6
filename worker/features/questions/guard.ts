/** Guards of routes about questions, and about what they can be about. */
import { createMiddleware } from 'hono/factory'
import { hexId, problemIdText } from '#contract/fields'
import { AppError } from '../../http/errors.ts'
import type { UserEnv } from '../../http/session.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { findProblemAccess } from '../problems/access-queries.ts'
import { findSubmissionAccess } from '../submissions/queries.ts'
import { findQuestionAccess, type QuestionAccess } from './queries.ts'
import type { NewQuestion } from './write-queries.ts'

/** Environment of routes about one question that the caller sees. */
export interface QuestionEnv extends UserEnv {
  Variables: UserEnv['Variables'] & { access: QuestionAccess }
}

/** Lets through who sees the question of the path. */
export const onQuestion = createMiddleware<QuestionEnv>(async (c, next) => {
  const id = hexId.safeParse(c.req.param('id'))
  const access = id.success ? await findQuestionAccess(c.var.db, c.var.user, id.data) : undefined
  if (!access) throw new AppError('question_not_found')
  c.set('access', access)
  await next()
})

/** Environment of routes about what a question can be about. */
export interface AboutEnv extends UserEnv {
  Variables: UserEnv['Variables'] & {
    about: NewQuestion
    /** Whether a pack has the submission's code. */
    isPacked: boolean
  }
}

/** Lets through who sees the problem of the path. */
export const aboutProblem = createMiddleware<AboutEnv>(async (c, next) => {
  const id = problemIdText.safeParse(c.req.param('id'))
  const access = id.success
    ? await findProblemAccess(c.var.db, c.var.user, id.data, nowSeconds())
    : undefined
  if (!access) throw new AppError('problem_not_found')
  const { courseId, problemId, standing } = access
  c.set('about', {
    courseId,
    problemId,
    standing,
    submissionId: null,
    line: null,
    studentId: c.var.user.id,
  })
  await next()
})

/** Lets through who sees the submission of the path: its student, and staff. */
export const aboutSubmission = createMiddleware<AboutEnv>(async (c, next) => {
  const id = hexId.safeParse(c.req.param('id'))
  const access = id.success ? await findSubmissionAccess(c.var.db, c.var.user, id.data) : undefined
  if (!access) throw new AppError('submission_not_found')
  const { courseId, problemId, standing, submissionId, userId, packId } = access
  c.set('isPacked', packId !== null)
  c.set('about', { courseId, problemId, standing, submissionId, line: null, studentId: userId })
  await next()
})
