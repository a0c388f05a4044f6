/** Homeworks: list those of a course, create one. */
import { Hono } from 'hono'
import { newHomework } from '#contract/homeworks'
import { openDb } from '../../db/client.ts'
import { changeOf } from '../../http/change.ts'
import { inCourse, namedInBody, namedInPath, type CourseEnv } from '../../http/course-guard.ts'
import { ok } from '../../http/respond.ts'
import { requireUser } from '../../http/session.ts'
import { jsonBody } from '../../http/validate.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { insertHomework, listHomeworks } from './queries.ts'

export const homeworks = new Hono<CourseEnv>()
  .get('/course/:name/homework', requireUser, inCourse(namedInPath, 'course.read'), async (c) =>
    ok(c, await listHomeworks(openDb(c.env.DB), c.var.course, c.var.user, nowSeconds())),
  )
  .post(
    '/homework',
    requireUser,
    inCourse(namedInBody('courseName'), 'homework.write'),
    jsonBody(newHomework),
    async (c) =>
      ok(c, {
        id: await insertHomework(openDb(c.env.DB), c.var.course, c.req.valid('json'), changeOf(c)),
      }),
  )
