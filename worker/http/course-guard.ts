/** Guards of calls about a course: they look up the caller's standing there, and check its capability. */
import type { Context } from 'hono'
import { PUBLIC_COURSE } from '#contract/fields'
import { TEXT_LIMITS } from '#contract/limits'
import { can, type Capability, type Standing } from '#contract/roles'
import { findStanding, type CourseStanding } from '../db/standing.ts'
import { readJson } from './body.ts'
import { AppError, fieldRefused } from './errors.ts'
import { guard } from './guard.ts'
import type { UserEnv } from './session.ts'

/**
 * Refuses a caller who lacks the capability: 403 for members, 404 for everyone else, who must not learn that the course exists. The
 * course `Public` is no secret: its refusal is always 403. A student of a closed course is told that it is closed.
 */
export function demandCapability(
  standing: Standing,
  capability: Capability,
  courseName?: string,
): void {
  if (can(standing, capability)) return
  if (standing === 'reader' && can('student', capability)) throw new AppError('course_closed')
  const isKnown = courseName === PUBLIC_COURSE || can(standing, 'course.read')
  throw new AppError(isKnown ? 'forbidden' : 'course_not_found')
}

/** The course named in a field of the JSON body. The name is checked before the body's other faults. */
export async function namedInBody(
  c: Context,
  field: string,
  fallback?: string,
): Promise<string | undefined> {
  const body = await readJson(c)
  const value: unknown =
    typeof body === 'object' && body !== null ? Reflect.get(body, field) : undefined
  if (value === undefined) return fallback
  // No course has a longer name, and the database refuses a parameter of megabytes.
  if (typeof value !== 'string' || value.length > TEXT_LIMITS.courseName)
    throw fieldRefused([field], 'invalid', 'Value is not valid')
  return value
}

/** The named course. @param field the parameter or field with the name; a call without it is refused for this field */
async function findCourse(
  c: Context<UserEnv>,
  name: string | undefined,
  field = 'course',
): Promise<CourseStanding> {
  if (name === undefined) throw fieldRefused([field], 'required', 'Value is required')
  const course = await findStanding(c.var.db, c.var.user, name)
  if (!course) throw new AppError('course_not_found')
  return course
}

/** The course named in the path. */
export const courseInPath = guard('course', (c) => findCourse(c, c.req.param('name')))

/** The course named in the query. */
export const courseInQuery = guard('course', (c) => findCourse(c, c.req.query('course')))

/** The course named in a field of the JSON body. @param fallback the name where the body has none */
export function courseInBody(field: string, fallback?: string) {
  return guard('course', async (c) => findCourse(c, await namedInBody(c, field, fallback), field))
}

/** The same guard, for calls about the teacher or the members: it refuses the course `Public`, which has neither. */
export function notPublic({ name, find }: typeof courseInPath) {
  return guard(name, async (c) => {
    const course = await find(c)
    if (course.name === PUBLIC_COURSE) throw new AppError('forbidden')
    return course
  })
}
