/** Late days: budgets, and what students ask for. */
import { can } from '#contract/roles'
import { changeOf } from '../../http/change.ts'
import { courseInPath } from '../../http/course-guard.ts'
import { editedVersion, sendEditable } from '../../http/edit-tag.ts'
import { tellCourse, tellPages } from '../../http/live.ts'
import { route } from '../../http/route.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { homeworkInPath } from '../homeworks/guard.ts'
import { askLateDays, replaceBudgets } from './edit-queries.ts'
import { getLateDayTable } from './queries.ts'

export const lateDays = [
  route('GET /course/:name/late-days', courseInPath, async (c, { course }) => {
    const table = await getLateDayTable(c.var.db, course, c.var.user, nowSeconds())
    // Students get no ETag: it would tell of edits that they cannot see.
    return can(course.standing, 'homework.write') ? sendEditable(c, course.version, table) : table
  }),
  route('PUT /course/:name/late-days', courseInPath, async (c, { course, body }) => {
    await replaceBudgets(c.var.db, course, body, editedVersion(c), changeOf(c))
    for (const homeworkId of body.budgets.flatMap(({ homeworkIds }) => homeworkIds))
      tellCourse(c, course.id, { kind: 'homework', homeworkId }, 'course.read')
  }),
  route('PUT /homework/:id/late-days', homeworkInPath, async (c, { homework, body }) => {
    const after = await askLateDays(c.var.db, homework, body.days, changeOf(c))
    tellPages(c, c.var.user.id, { kind: 'homework', homeworkId: homework.homeworkId })
    return after
  }),
]
