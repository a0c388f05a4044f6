/** What staff set: marks, and whether students see them. */
import { changeOf } from '../../http/change.ts'
import { courseInPath } from '../../http/course-guard.ts'
import { route } from '../../http/route.ts'
import { changeMarks } from './setting-queries.ts'
import { findColumn, holdMarks, showColumn } from './shown-queries.ts'

export const markSettings = [
  route('PATCH /course/:name/gradebook', courseInPath, (c, { course, body }) =>
    changeMarks(c.var.db, course, body, changeOf(c)),
  ),
  route(
    'PUT /course/:name/gradebook/:columnId/shown',
    courseInPath,
    async (c, { course, params, body }) => {
      const column = await findColumn(c.var.db, course, params.columnId)
      await showColumn(c.var.db, course, column, body.shown, changeOf(c))
    },
  ),
  route(
    'PUT /course/:name/gradebook/:columnId/held',
    courseInPath,
    async (c, { course, params, body }) => {
      const column = await findColumn(c.var.db, course, params.columnId)
      await holdMarks(c.var.db, course, column, body, changeOf(c))
    },
  ),
]
