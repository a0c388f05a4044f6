/** /course: list, create, read, members. */
import { Hono } from 'hono'
import { courseMembers, memberChanges, newCourse } from '#contract/courses'
import { openDb } from '../../db/client.ts'
import { inCourse, namedInPath, type CourseEnv } from '../../http/course-guard.ts'
import { changeOf } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
import { ok } from '../../http/respond.ts'
import { requireUser } from '../../http/session.ts'
import { jsonBody } from '../../http/validate.ts'
import { changeMembers, getCourse, insertCourse, listCourses, replaceMembers } from './queries.ts'

export const courses = new Hono<CourseEnv>()
  .get('/course', requireUser, async (c) => ok(c, await listCourses(openDb(c.env.DB), c.var.user)))
  .post(
    '/course',
    requireUser,
    async (c, next) => {
      if (c.var.user.role === 2) throw new AppError('forbidden')
      await next()
    },
    jsonBody(newCourse),
    async (c) => {
      const form = c.req.valid('json')
      await insertCourse(openDb(c.env.DB), form, changeOf(c))
      return ok(c, { course: form.course })
    },
  )
  .get('/course/:name', requireUser, inCourse(namedInPath, 'course.read'), async (c) =>
    ok(c, await getCourse(openDb(c.env.DB), c.var.course)),
  )
  .put(
    '/course/:name',
    requireUser,
    inCourse(namedInPath, 'members.manage'),
    jsonBody(courseMembers),
    async (c) => {
      await replaceMembers(openDb(c.env.DB), c.var.course, c.req.valid('json'), changeOf(c))
      return ok(c, null)
    },
  )
  .patch(
    '/course/:name/members',
    requireUser,
    inCourse(namedInPath, 'members.manage'),
    jsonBody(memberChanges),
    async (c) => {
      await changeMembers(openDb(c.env.DB), c.var.course, c.req.valid('json'), changeOf(c))
      return ok(c, null)
    },
  )
