/** Guard of routes about one homework. */
import { createMiddleware } from 'hono/factory'
import { hexId } from '#contract/fields'
import { can, type Capability } from '#contract/roles'
import { demandCapability, type CourseEnv } from '../../http/course-guard.ts'
import { AppError } from '../../http/errors.ts'
import { findHomeworkAccess, type HomeworkAccess } from './queries.ts'

/** Environment of routes about one homework of a course the caller is in. */
export interface HomeworkEnv extends CourseEnv {
  Variables: CourseEnv['Variables'] & { homework: HomeworkAccess }
}

/** Lets members of the homework's course through who have the capability there. */
export function onHomework(capability: Capability) {
  return createMiddleware<HomeworkEnv>(async (c, next) => {
    const id = hexId.safeParse(c.req.param('id'))
    const found = id.success ? await findHomeworkAccess(c.var.db, c.var.user, id.data) : undefined
    if (!found || !can(found.standing, 'course.read')) throw new AppError('homework_not_found')
    demandCapability(found.standing, capability)
    c.set('homework', found)
    await next()
  })
}
