/** Guard of routes about one problem. */
import { createMiddleware } from 'hono/factory'
import { problemIdText } from '#contract/fields'
import { problemCopy } from '#contract/problems'
import type { Capability } from '#contract/roles'
import { readJson } from '../../http/body.ts'
import { demandCapability, type CourseEnv } from '../../http/course-guard.ts'
import { AppError } from '../../http/errors.ts'
import { nowSeconds } from '../../lib/clock.ts'
import {
  findCopyAccess,
  findEditAccess,
  findProblemAccess,
  type ProblemAccess,
} from './access-queries.ts'
import type { StoredSubtask } from './revealed-tests.ts'

/** Environment of routes about one problem that the caller sees. */
export interface ProblemEnv extends CourseEnv {
  Variables: CourseEnv['Variables'] & { access: ProblemAccess }
}

/** Lets callers through who see the problem and have the capability in its course. */
export function onProblem(capability: Capability) {
  return createMiddleware<ProblemEnv>(async (c, next) => {
    const id = problemIdText.safeParse(c.req.param('id'))
    const access = id.success
      ? await findProblemAccess(c.var.db, c.var.user, id.data, nowSeconds())
      : undefined
    if (!access) throw new AppError('problem_not_found')
    demandCapability(access.standing, capability)
    c.set('access', access)
    await next()
  })
}

/** Environment of the route that edits a problem: also its stored subtasks. */
export interface EditEnv extends ProblemEnv {
  Variables: ProblemEnv['Variables'] & { stored: StoredSubtask[] }
}

/** Lets callers through who may edit the problem. */
export const onEditedProblem = createMiddleware<EditEnv>(async (c, next) => {
  const id = problemIdText.safeParse(c.req.param('id'))
  const { access, stored } = await findEditAccess(c.var.db, c.var.user, id.data ?? 0, nowSeconds())
  if (!access) throw new AppError('problem_not_found')
  demandCapability(access.standing, 'problem.write')
  c.set('access', access)
  c.set('stored', stored)
  await next()
})

/**
 * Lets callers through who may write problems both in the problem's course and in the course that the body
 * names. A body without a course is refused later, with its other faults.
 */
export const ontoCourse = createMiddleware<ProblemEnv>(async (c, next) => {
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
  if (body.success && !target) throw new AppError('course_not_found')
  if (target) {
    demandCapability(target.standing, 'problem.write', target.name)
    c.set('course', target)
  }
  c.set('access', access)
  await next()
})
