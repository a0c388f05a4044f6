/** Guards of calls about one problem, or the problems of a course. */
import * as z from 'zod'
import { problemIdText } from '#contract/fields'
import { COUNT_LIMITS } from '#contract/limits'
import { problemCopy, problemListParams } from '#contract/problems'
import { parseBody, readJson } from '../../http/body.ts'
import { demandCapability } from '../../http/course-guard.ts'
import { AppError } from '../../http/errors.ts'
import { guard, guardInPath } from '../../http/guard.ts'
import { fromCursor } from '../../http/paging.ts'
import { parseQuery } from '../../http/validate.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { findCopyAccess, findEditAccess, findProblemAccess } from './access-queries.ts'
import { getProblem, listProblems } from './queries.ts'

/** The problem of the path, for people who see it. */
export const problemInPath = guardInPath('problem', 'problem_not_found', problemIdText, (c, id) =>
  findProblemAccess(c.var.db, c.var.user, id, nowSeconds()),
)

/** The problem of the path and, as `shown`, its full contents as staff see them. */
export const wholeProblem = guardInPath(
  'problem',
  'problem_not_found',
  problemIdText,
  async (c, id) => {
    const found = await getProblem(c.var.db, c.var.user, id, nowSeconds())
    return found && { ...found.access, shown: found.problem }
  },
)

/** The problem of the path with its stored subtasks, to edit it. */
export const editedProblem = guardInPath(
  'problem',
  'problem_not_found',
  problemIdText,
  async (c, id) => {
    const { access, stored } = await findEditAccess(c.var.db, c.var.user, id, nowSeconds())
    return access && { ...access, stored }
  },
)

/** The problem of the path and the course that the body names, for people who may write problems in both. */
export const problemAndTarget = guard('problem', async (c) => {
  const id = problemIdText.safeParse(c.req.param('id'))
  const body = problemCopy.safeParse(await readJson(c).catch(() => null))
  const { access, target } = await findCopyAccess(
    c.var.db,
    c.var.user,
    id.data ?? 0,
    body.data?.course ?? '',
    nowSeconds(),
  )
  if (!access) throw new AppError('problem_not_found')
  demandCapability(access.standing, 'problem.write')
  if (!target) {
    // A body without a course is refused for its own faults.
    await parseBody(c, problemCopy)
    throw new AppError('course_not_found')
  }
  demandCapability(target.standing, 'problem.write', target.name)
  return { ...access, target }
})

/** The page of a course's problems that the query asks for: one round trip finds the course, too. */
export const problemsOfCourse = guard('course', async (c) => {
  const { course, tags = '', cursor, limit, name } = parseQuery(c, problemListParams)
  const size = limit ?? COUNT_LIMITS.listItemsDefault
  const found = await listProblems(c.var.db, c.var.user, course, {
    name,
    tags: tags
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
    after: fromCursor(cursor, z.int().min(1)) ?? 0,
    limit: size,
    now: nowSeconds(),
  })
  if (!found) throw new AppError('course_not_found')
  return { ...found.course, items: found.items, size }
})
