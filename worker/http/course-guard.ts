/** Guards of calls about a course: the caller's standing there, and whether it has the capability. */
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { PUBLIC_COURSE } from '#contract/fields'
import { TEXT_LIMITS } from '#contract/limits'
import { can, type Capability, type Standing } from '#contract/roles'
import { findStanding, type CourseStanding } from '../db/standing.ts'
import { readJson } from './body.ts'
import { AppError, fieldRefused } from './errors.ts'
import type { UserEnv } from './session.ts'

/** Environment of routes behind `inCourse`. */
export interface CourseEnv extends UserEnv {
  Variables: UserEnv['Variables'] & { course: CourseStanding }
}

/**
 * Refuses a caller who lacks the capability: 403 for members, 404 for everyone else, who must not learn
 * that the course exists. The course `Public` is no secret: there it is always 403.
 */
export function demandCapability(
  standing: Standing,
  capability: Capability,
  courseName?: string,
): void {
  if (can(standing, capability)) return
  const isKnown = courseName === PUBLIC_COURSE || can(standing, 'course.read')
  throw new AppError(isKnown ? 'forbidden' : 'course_not_found')
}

/** Refuses calls about the teacher or the members of the course `Public`, which has neither. */
export const notPublic = createMiddleware<CourseEnv>(async (c, next) => {
  if (c.var.course.name === PUBLIC_COURSE) throw new AppError('forbidden')
  await next()
})

/** The course named in the path. */
export function namedInPath(c: Context): string | undefined {
  return c.req.param('name')
}

/** The course named in the query. */
export function namedInQuery(c: Context): string | undefined {
  return c.req.query('course')
}

/** The course named in a field of the JSON body. It is checked before the body's other faults. */
export function namedInBody(field: string, fallback?: string) {
  return async (c: Context): Promise<string | undefined> => {
    const body = await readJson(c)
    const value: unknown =
      typeof body === 'object' && body !== null ? Reflect.get(body, field) : undefined
    if (value === undefined) return fallback
    // The database takes no parameter of megabytes, and no name is longer.
    if (typeof value !== 'string' || value.length > TEXT_LIMITS.courseName)
      throw fieldRefused([field], 'invalid', 'Value is not valid')
    return value
  }
}

/**
 * Lets callers with the capability through and puts the course at `c.var.course`.
 * @param nameOf where the call names its course
 * @param field the parameter or field that names it, for the refusal of a call without one
 */
export function inCourse(
  nameOf: (c: Context) => string | undefined | Promise<string | undefined>,
  capability: Capability,
  field = 'course',
) {
  return createMiddleware<CourseEnv>(async (c, next) => {
    const name = await nameOf(c)
    if (name === undefined) throw fieldRefused([field], 'required', 'Value is required')
    const course = await findStanding(c.var.db, c.var.user, name)
    if (!course) throw new AppError('course_not_found')
    demandCapability(course.standing, capability, course.name)
    c.set('course', course)
    await next()
  })
}
