/** Guard of calls about one homework. */
import { hexId } from '#contract/fields'
import { can } from '#contract/roles'
import { guardInPath } from '../../http/guard.ts'
import { findHomeworkAccess } from './queries.ts'

/** The homework of the path, for members of its course. */
export const homeworkInPath = guardInPath(
  'homework',
  'homework_not_found',
  hexId,
  async (c, id) => {
    const found = await findHomeworkAccess(c.var.db, c.var.user, id)
    return found && can(found.standing, 'course.read') ? found : undefined
  },
)
