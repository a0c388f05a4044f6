/** Guard of the call that copies a homework. */
import { homeworkCopy } from '#contract/course-copy'
import { hexId } from '#contract/fields'
import { can } from '#contract/roles'
import { parseBody, readJson } from '../../http/body.ts'
import { demandCapability } from '../../http/course-guard.ts'
import { AppError } from '../../http/errors.ts'
import { guard } from '../../http/guard.ts'
import { findCopyAccess } from './homework-queries.ts'

/** The homework of the path and the course that the body names, for staff of both. */
export const homeworkAndTarget = guard('homework', async (c) => {
  const id = hexId.safeParse(c.req.param('id'))
  const body = homeworkCopy.safeParse(await readJson(c).catch(() => null))
  const { access, target } = await findCopyAccess(
    c.var.db,
    c.var.user,
    id.data ?? '',
    body.data?.courseName ?? '',
  )
  if (!access || !can(access.standing, 'course.read')) throw new AppError('homework_not_found')
  demandCapability(access.standing, 'homework.write')
  if (!target) {
    // A body without a course is refused for its own faults.
    await parseBody(c, homeworkCopy)
    throw new AppError('course_not_found')
  }
  for (const right of ['homework.write', 'problem.write'] as const)
    demandCapability(target.standing, right, target.name)
  return { ...access, target }
})
