/** The gradebook: columns, people with marks, its file, and statistics. */
import { changeOf } from '../../http/change.ts'
import { courseInPath } from '../../http/course-guard.ts'
import { editedVersion, sendEditable } from '../../http/edit-tag.ts'
import { AppError } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { homeworkInPath } from '../homeworks/guard.ts'
import { getColumns, writeColumns } from './columns-queries.ts'
import { getPage } from './page-queries.ts'

export const gradebook = [
  route('GET /course/:name/gradebook', courseInPath, (c, { course, query }) =>
    getPage(c.var.db, course, c.var.user, query),
  ),
  route('GET /course/:name/gradebook/columns', courseInPath, async (c, { course }) => {
    const { version, columns } = await getColumns(c.var.db, course)
    return sendEditable(c, version, columns)
  }),
  route('PUT /course/:name/gradebook/columns', courseInPath, (c, { course, body }) =>
    writeColumns(c.var.db, course, body, editedVersion(c), changeOf(c)),
  ),
  route('GET /course/:name/gradebook/file', courseInPath, () => {
    throw new AppError('not_found')
  }),
  route('GET /homework/:id/statistics', homeworkInPath, () => {
    throw new AppError('not_found')
  }),
]
