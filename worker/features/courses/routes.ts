/** /course: list, create, read, change, delete and restore; members; scoreboard and summary. */
import { Hono, type Context } from 'hono'
import {
  courseEdit,
  courseMembers,
  courseListParams,
  courseRef,
  memberChanges,
  newCourse,
  peopleParams,
} from '#contract/courses'
import { can, type CourseRole } from '#contract/roles'
import { scoreboardParams } from '#contract/problems/stats'
import { changeOf } from '../../http/change.ts'
import {
  inCourse,
  namedInBody,
  namedInPath,
  notPublic,
  demandCapability,
  type CourseEnv,
} from '../../http/course-guard.ts'
import { editedVersion, sendEditable } from '../../http/edit-tag.ts'
import { AppError } from '../../http/errors.ts'
import { inInstallation } from '../../http/installation-guard.ts'
import { ok } from '../../http/respond.ts'
import { demandFreshPassword, requireUser } from '../../http/session.ts'
import { jsonBody, query } from '../../http/validate.ts'
import { nowSeconds } from '../../lib/clock.ts'
import {
  deleteCourse,
  findRestorable,
  insertCourse,
  restoreCourse,
  updateCourse,
} from './edit-queries.ts'
import { changeMembers, replaceMembers } from './member-queries.ts'
import { findPeople } from './people-queries.ts'
import { getCourse, listCourses, listRestorable } from './queries.ts'
import { toScoreboard } from './scoreboard.ts'
import { readScoreboard, readSummary } from './stats-queries.ts'

/** Roles that let people see others' work are given with a fresh password only. */
function demandFreshFor(c: Context<CourseEnv>, given: CourseRole[]): void {
  if (given.some((role) => can(role, 'submission.readAll'))) demandFreshPassword(c)
}

export const courses = new Hono<CourseEnv>()
  .get('/course', requireUser, query(courseListParams), async (c) => {
    const { db } = c.var
    return c.req.valid('query').deleted === 'true'
      ? ok(c, await listRestorable(db, c.var.user, nowSeconds()))
      : ok(c, await listCourses(db, c.var.user))
  })
  .post('/course', requireUser, inInstallation('course.create'), jsonBody(newCourse), async (c) => {
    const form = c.req.valid('json')
    await insertCourse(c.var.db, form, changeOf(c), () => demandFreshPassword(c))
    return ok(c, { course: form.course })
  })
  .put(
    '/course',
    requireUser,
    inCourse(namedInBody('course'), 'course.manage'),
    notPublic,
    jsonBody(courseEdit),
    async (c) => {
      const edit = c.req.valid('json')
      if (edit.teacher !== undefined) demandFreshPassword(c)
      await updateCourse(c.var.db, c.var.course, edit, editedVersion(c), changeOf(c))
      return ok(c, { course: edit.newCourse ?? c.var.course.name })
    },
  )
  .delete(
    '/course',
    requireUser,
    inCourse(namedInBody('course'), 'course.manage'),
    notPublic,
    jsonBody(courseRef),
    async (c) => {
      await deleteCourse(c.var.db, c.var.course, editedVersion(c), changeOf(c))
      return ok(c, null)
    },
  )
  .get('/course/summary', requireUser, inInstallation('course.readAll'), async (c) =>
    ok(c, await readSummary(c.var.db)),
  )
  .post('/course/:name/restore', requireUser, async (c) => {
    const { db } = c.var
    const found = await findRestorable(db, c.var.user, c.req.param('name'), nowSeconds())
    if (!found) throw new AppError('course_not_found')
    demandCapability(found.standing, 'course.manage', found.name)
    await restoreCourse(db, found, changeOf(c))
    return ok(c, { course: found.name })
  })
  .get('/course/:name', requireUser, inCourse(namedInPath, 'course.read'), async (c) =>
    sendEditable(c, c.var.course.version, await getCourse(c.var.db, c.var.user, c.var.course)),
  )
  .put(
    '/course/:name',
    requireUser,
    inCourse(namedInPath, 'members.manage'),
    notPublic,
    jsonBody(courseMembers),
    async (c) => {
      const lists = c.req.valid('json')
      demandFreshFor(c, [lists.TAs.length > 0 ? 'ta' : 'student'])
      await replaceMembers(c.var.db, c.var.course, lists, editedVersion(c), changeOf(c))
      return ok(c, null)
    },
  )
  .get(
    '/course/:name/people',
    requireUser,
    inCourse(namedInPath, 'members.manage'),
    notPublic,
    query(peopleParams),
    async (c) => {
      const { db, user, course } = c.var
      return ok(c, await findPeople(db, user, course, c.req.valid('query').search))
    },
  )
  .patch(
    '/course/:name/members',
    requireUser,
    inCourse(namedInPath, 'members.manage'),
    notPublic,
    jsonBody(memberChanges),
    async (c) => {
      const changes = c.req.valid('json')
      demandFreshFor(
        c,
        changes.add.map(({ role }) => role),
      )
      await changeMembers(c.var.db, c.var.course, changes, editedVersion(c), changeOf(c))
      return ok(c, null)
    },
  )
  .get(
    '/course/:name/scoreboard',
    requireUser,
    inCourse(namedInPath, 'submission.readAll'),
    query(scoreboardParams),
    async (c) => {
      const { pids = [], ...window } = c.req.valid('query')
      const { db } = c.var
      const board = await readScoreboard(db, c.var.course.id, pids, window)
      return ok(c, toScoreboard(board.students, board.problemIds, board.entries))
    },
  )
