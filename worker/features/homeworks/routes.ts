/** Homeworks: list those of a course, read one, write them; the dates and points that staff set for people. */
import type { Context } from 'hono'
import { can } from '#contract/roles'
import { changeOf } from '../../http/change.ts'
import { courseInBody, courseInPath } from '../../http/course-guard.ts'
import { editedVersion, sendEditable } from '../../http/edit-tag.ts'
import { AppError } from '../../http/errors.ts'
import { tellCourse } from '../../http/live.ts'
import { route } from '../../http/route.ts'
import type { UserEnv } from '../../http/session.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { getBoard } from './board-queries.ts'
import { deleteHomework, insertHomework, updateHomework } from './edit-queries.ts'
import { selectSeers } from './gradebook-queries.ts'
import { homeworkInPath } from './guard.ts'
import { confirmMarks, listKeptMarks } from './kept-mark-queries.ts'
import { changeOverrides, concernedBy, getDatesTable, removeOverrides } from './override-queries.ts'
import { selectStudents, type Concerned } from './people-queries.ts'
import { givePoints } from './points-queries.ts'
import { getHomework, listHomeworks, listRunningHomeworks, type HomeworkAccess } from './queries.ts'

/**
 * Tells students that dates, rules or points of a homework have changed for them.
 * @param people null: everybody in the course
 * @param labelIds tells everybody with one of these labels, too
 */
function tellOf<E extends UserEnv>(
  c: Context<E>,
  { homeworkId, courseId }: HomeworkAccess,
  people: Concerned,
  labelIds?: readonly number[],
): void {
  const among = people.includes(null) ? undefined : selectStudents(courseId, people, labelIds)
  tellCourse(c, courseId, { kind: 'homework', homeworkId }, 'course.read', among)
}

/** Tells students that their marks in a homework have changed, if they see them. */
function tellOfMarks<E extends UserEnv>(
  c: Context<E>,
  { homeworkId, courseId }: HomeworkAccess,
  people: Concerned,
): void {
  const among = selectSeers({ homeworkId, courseId }, people, nowSeconds())
  tellCourse(c, courseId, { kind: 'homework', homeworkId }, 'course.read', among)
}

export const homeworks = [
  route('GET /course/:name/homework', courseInPath, (c, { course, query }) =>
    listHomeworks(c.var.db, course, c.var.user, nowSeconds(), query.progress),
  ),
  route('GET /homework', (c) => listRunningHomeworks(c.var.db, c.var.user, nowSeconds())),
  route('POST /homework', courseInBody('courseName'), async (c, { course, body }) => {
    const { courseName: _, ...form } = body
    return { id: await insertHomework(c.var.db, course, form, changeOf(c)) }
  }),
  route('GET /homework/:id', homeworkInPath, async (c, { homework }) => {
    const found = await getHomework(c.var.db, homework, c.var.user, nowSeconds())
    if (!found) throw new AppError('homework_not_found')
    // Students get no ETag: it would tell of edits that they cannot see.
    return can(homework.standing, 'homework.write')
      ? sendEditable(c, found.version, found.homework)
      : found.homework
  }),
  route('GET /homework/:id/scoreboard', homeworkInPath, (c, { homework }) =>
    getBoard(c.var.db, homework, c.var.user, nowSeconds()),
  ),
  route('PUT /homework/:id', homeworkInPath, async (c, { homework, body }) => {
    await updateHomework(c.var.db, homework, body, editedVersion(c), changeOf(c))
    tellOf(c, homework, [null])
  }),
  route('DELETE /homework/:id', homeworkInPath, (c, { homework }) =>
    deleteHomework(c.var.db, homework, editedVersion(c), changeOf(c)),
  ),
  route('GET /homework/:id/dates', homeworkInPath, (c, { homework }) =>
    getDatesTable(c.var.db, homework, c.var.user),
  ),
  route('PUT /homework/:id/overrides', homeworkInPath, async (c, { homework, body }) => {
    const changed = await changeOverrides(c.var.db, homework, body.overrides, changeOf(c))
    const { names, labels } = concernedBy(body.overrides)
    tellOf(c, homework, names, labels)
    return changed
  }),
  route('DELETE /homework/:id/overrides', homeworkInPath, async (c, { homework, body }) => {
    const { usernames, labels } = body
    const owners = [
      ...usernames.map((username) => ({ username })),
      ...labels.map((label) => ({ username: null, label })),
    ]
    const changed = await removeOverrides(c.var.db, homework, owners, changeOf(c))
    tellOf(c, homework, usernames, labels)
    return changed
  }),
  route('GET /homework/:id/kept-marks', homeworkInPath, (c, { homework }) =>
    listKeptMarks(c.var.db, homework, c.var.user),
  ),
  route('POST /homework/:id/kept-marks/confirm', homeworkInPath, async (c, { homework, body }) => {
    await confirmMarks(c.var.db, homework, body.usernames, changeOf(c))
    tellOfMarks(c, homework, body.usernames)
  }),
  route('PUT /homework/:id/points', homeworkInPath, async (c, { homework, body }) => {
    await givePoints(c.var.db, homework, body, changeOf(c))
    tellOfMarks(c, homework, [body.username])
  }),
]
