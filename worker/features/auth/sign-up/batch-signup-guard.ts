/** Who may sign up many: admins anywhere, a course's teacher for that course. */
import { createMiddleware } from 'hono/factory'
import { roleCan } from '#contract/roles'
import { findStanding } from '../../../db/standing.ts'
import { demandCapability, namedInBody } from '../../../http/course-guard.ts'
import { AppError } from '../../../http/errors.ts'
import type { UserEnv } from '../../../http/session.ts'

const courseOf = namedInBody('course')

/** Environment of routes behind `mayBatchSignup`. */
interface SignupEnv extends UserEnv {
  Variables: UserEnv['Variables'] & { courseId: number | null }
}

/** Middleware behind `requireUser`. Without a course only admins pass. */
export const mayBatchSignup = createMiddleware<SignupEnv>(async (c, next) => {
  const name = await courseOf(c)
  if (name === undefined) {
    if (!roleCan(c.var.user.role, 'users.manage')) throw new AppError('forbidden')
    c.set('courseId', null)
    return next()
  }
  const course = await findStanding(c.var.db, c.var.user, name)
  if (!course) throw new AppError('course_not_found')
  demandCapability(course.standing, 'members.manage')
  c.set('courseId', course.id)
  await next()
})
