/** Who may do what with the problem a path names. */
import { createMiddleware } from 'hono/factory'
import { problemIdText } from '#contract/fields'
import type { Capability } from '#contract/roles'
import { openDb } from '../../db/client.ts'
import { demand, type CourseEnv } from '../../http/course-guard.ts'
import { AppError } from '../../http/errors.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { findProblemPlace, type ProblemPlace } from './queries.ts'

/** Environment of routes about one problem that the caller sees. */
export interface ProblemEnv extends CourseEnv {
  Variables: CourseEnv['Variables'] & { place: ProblemPlace }
}

/** Lets through who sees the problem of the path and has the capability in its course. */
export function onProblem(capability: Capability) {
  return createMiddleware<ProblemEnv>(async (c, next) => {
    const id = problemIdText.safeParse(c.req.param('id'))
    const place = id.success
      ? await findProblemPlace(openDb(c.env.DB), c.var.user, id.data, nowSeconds())
      : undefined
    if (!place) throw new AppError('problem_not_found')
    demand(place.standing, capability)
    c.set('place', place)
    await next()
  })
}
