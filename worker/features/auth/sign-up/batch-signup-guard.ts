/** Who may sign up many: admins anywhere, a course's teacher for that course. */
import { roleCan } from '#contract/roles'
import { findStanding } from '../../../db/standing.ts'
import { demandCapability, namedInBody } from '../../../http/course-guard.ts'
import { AppError } from '../../../http/errors.ts'
import { guard } from '../../../http/guard.ts'

/** Refuses people who may not sign up others for the course that the body names. Without a course only admins pass. */
export const guardSignup = guard('signup', async (c): Promise<void> => {
  const name = await namedInBody(c, 'course')
  if (name === undefined) {
    if (!roleCan(c.var.user.role, 'users.manage')) throw new AppError('forbidden')
    return
  }
  const course = await findStanding(c.var.db, c.var.user, name)
  if (!course) throw new AppError('course_not_found')
  demandCapability(course.standing, 'members.manage')
})
