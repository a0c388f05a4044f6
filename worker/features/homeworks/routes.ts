/** Homeworks: list those of a course, read one, write them. */
import { Hono } from 'hono'
import { homeworkForm, homeworkListParams, newHomework } from '#contract/homeworks'
import { can } from '#contract/roles'
import { changeOf } from '../../http/change.ts'
import { inCourse, namedInBody, namedInPath } from '../../http/course-guard.ts'
import { editedVersion, sendEditable } from '../../http/edit-tag.ts'
import { AppError } from '../../http/errors.ts'
import { ok } from '../../http/respond.ts'
import { requireUser } from '../../http/session.ts'
import { jsonBody, query } from '../../http/validate.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { getBoard } from './board-queries.ts'
import { deleteHomework, insertHomework, updateHomework } from './edit-queries.ts'
import { onHomework, type HomeworkEnv } from './guard.ts'
import { getHomework, listHomeworks, listRunningHomeworks } from './queries.ts'

export const homeworks = new Hono<HomeworkEnv>()
  .get(
    '/course/:name/homework',
    requireUser,
    inCourse(namedInPath, 'course.read'),
    query(homeworkListParams),
    async (c) => {
      const { course, user } = c.var
      const { progress } = c.req.valid('query')
      return ok(c, await listHomeworks(c.var.db, course, user, nowSeconds(), progress))
    },
  )
  .get('/homework', requireUser, async (c) =>
    ok(c, await listRunningHomeworks(c.var.db, c.var.user, nowSeconds())),
  )
  .post(
    '/homework',
    requireUser,
    inCourse(namedInBody('courseName'), 'homework.write', 'courseName'),
    jsonBody(newHomework),
    async (c) => {
      const { courseName: _, ...form } = c.req.valid('json')
      return ok(c, {
        id: await insertHomework(c.var.db, c.var.course, form, changeOf(c)),
      })
    },
  )
  .get('/homework/:id', requireUser, onHomework('course.read'), async (c) => {
    const access = c.var.homework
    const found = await getHomework(c.var.db, access, c.var.user, nowSeconds())
    if (!found) throw new AppError('homework_not_found')
    // A student's tag says nothing of edits they cannot see.
    return can(access.standing, 'homework.write')
      ? sendEditable(c, found.version, found.homework)
      : ok(c, found.homework)
  })
  .get('/homework/:id/scoreboard', requireUser, onHomework('course.read'), async (c) =>
    ok(c, await getBoard(c.var.db, c.var.homework, c.var.user, nowSeconds())),
  )
  .put(
    '/homework/:id',
    requireUser,
    onHomework('homework.write'),
    jsonBody(homeworkForm),
    async (c) => {
      const form = c.req.valid('json')
      await updateHomework(c.var.db, c.var.homework, form, editedVersion(c), changeOf(c))
      return ok(c, null)
    },
  )
  .delete('/homework/:id', requireUser, onHomework('homework.write'), async (c) => {
    await deleteHomework(c.var.db, c.var.homework, editedVersion(c), changeOf(c))
    return ok(c, null)
  })
