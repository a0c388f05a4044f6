/** The gradebook: columns, people with marks, its file, computing all marks anew, and statistics. */
import { changeOf } from '../../http/change.ts'
import { courseInPath } from '../../http/course-guard.ts'
import { downloadOf } from '../../http/download.ts'
import { editedVersion, sendEditable } from '../../http/edit-tag.ts'
import { route } from '../../http/route.ts'
import { homeworkInPath } from '../homeworks/guard.ts'
import { getColumns, writeColumns } from './columns-queries.ts'
import { startFile, writeFile } from './file-queries.ts'
import { getPage } from './page-queries.ts'
import { rebuildMarks } from './rebuild.ts'
import { getStatistics } from './statistics-queries.ts'

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
  route('GET /course/:name/gradebook/file', courseInPath, async (c, { course, query }) => {
    const { db, user } = c.var
    const { label, explained } = query
    const start = await startFile(db, course, { label, isExplained: explained === '1' })
    const lines = writeFile(db, course, user, start, label)
    return downloadOf(lines, `${course.name}.csv`, 'text/csv;charset=utf-8')
  }),
  route('POST /course/:name/gradebook/rebuild', courseInPath, (c, { course }) =>
    rebuildMarks(c.env, c.var.db, course, changeOf(c)),
  ),
  route('GET /homework/:id/statistics', homeworkInPath, (c, { homework, query }) =>
    getStatistics(c.var.db, homework, query.label),
  ),
]
