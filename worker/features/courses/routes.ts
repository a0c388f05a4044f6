/** /course: list, create, read, change, delete and restore; members; scoreboard and summary. */
import type { Context } from 'hono'
import { can, type CourseRole } from '#contract/roles'
import { changeOf } from '../../http/change.ts'
import { courseInBody, courseInPath, notPublic } from '../../http/course-guard.ts'
import { editedVersion, sendEditable } from '../../http/edit-tag.ts'
import { AppError } from '../../http/errors.ts'
import { guard } from '../../http/guard.ts'
import { route } from '../../http/route.ts'
import { demandFreshPassword, type UserEnv } from '../../http/session.ts'
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

/** Demands a fresh password for giving roles that let people see others' work. */
function demandFreshFor(c: Context<UserEnv>, given: CourseRole[]): void {
  if (given.some((role) => can(role, 'submission.readAll'))) demandFreshPassword(c)
}

/** The course of the path, live or restorable; a deleted course only for people who may restore it. */
const deletedCourse = guard('course', async (c) => {
  const name = c.req.param('name') ?? ''
  const found = await findRestorable(c.var.db, c.var.user, name, nowSeconds())
  if (!found) throw new AppError('course_not_found')
  return found
})

export const courses = [
  route('GET /course', (c, { query }) =>
    query.deleted === 'true'
      ? listRestorable(c.var.db, c.var.user, nowSeconds())
      : listCourses(c.var.db, c.var.user, query.closed === 'true'),
  ),
  route('POST /course', async (c, { body }) => {
    await insertCourse(c.var.db, body, changeOf(c), () => demandFreshPassword(c))
    return { course: body.course }
  }),
  route('PUT /course', notPublic(courseInBody('course')), async (c, { course, body }) => {
    if (body.teacher !== undefined) demandFreshPassword(c)
    await updateCourse(c.var.db, course, body, editedVersion(c), changeOf(c))
    return { course: body.newCourse ?? course.name }
  }),
  route('DELETE /course', notPublic(courseInBody('course')), (c, { course }) =>
    deleteCourse(c.var.db, course, editedVersion(c), changeOf(c)),
  ),
  route('GET /course/summary', (c) => readSummary(c.var.db)),
  route('POST /course/:name/restore', deletedCourse, async (c, { course }) => {
    await restoreCourse(c.var.db, course, changeOf(c))
    return { course: course.name }
  }),
  route('GET /course/:name', courseInPath, async (c, { course }) =>
    sendEditable(c, course.version, await getCourse(c.var.db, c.var.user, course)),
  ),
  route('PUT /course/:name', notPublic(courseInPath), async (c, { course, body }) => {
    demandFreshFor(c, [body.TAs.length > 0 ? 'ta' : 'student'])
    await replaceMembers(c.var.db, course, body, editedVersion(c), changeOf(c))
  }),
  route('GET /course/:name/people', notPublic(courseInPath), (c, { course, query }) =>
    findPeople(c.var.db, c.var.user, course, query.search),
  ),
  route('PATCH /course/:name/members', notPublic(courseInPath), async (c, { course, body }) => {
    demandFreshFor(
      c,
      body.add.map(({ role }) => role),
    )
    await changeMembers(c.var.db, course, body, editedVersion(c), changeOf(c))
  }),
  route('GET /course/:name/scoreboard', courseInPath, async (c, { course, query }) => {
    const { pids = [], ...window } = query
    const board = await readScoreboard(c.var.db, course.id, pids, window)
    return toScoreboard(board.students, board.problemIds, board.entries)
  }),
]
