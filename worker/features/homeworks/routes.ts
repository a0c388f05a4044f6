/** Homeworks: list those of a course, read one, write them. */
import { can } from '#contract/roles'
import { changeOf } from '../../http/change.ts'
import { courseInBody, courseInPath } from '../../http/course-guard.ts'
import { editedVersion, sendEditable } from '../../http/edit-tag.ts'
import { AppError } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { getBoard } from './board-queries.ts'
import { deleteHomework, insertHomework, updateHomework } from './edit-queries.ts'
import { homeworkInPath } from './guard.ts'
import { getHomework, listHomeworks, listRunningHomeworks } from './queries.ts'

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
  route('PUT /homework/:id', homeworkInPath, (c, { homework, body }) =>
    updateHomework(c.var.db, homework, body, editedVersion(c), changeOf(c)),
  ),
  route('DELETE /homework/:id', homeworkInPath, (c, { homework }) =>
    deleteHomework(c.var.db, homework, editedVersion(c), changeOf(c)),
  ),
]
