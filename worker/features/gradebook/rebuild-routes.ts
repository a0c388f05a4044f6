/** Computing all marks of a course anew. */
import { courseInPath } from '../../http/course-guard.ts'
import { changeOf } from '../../http/change.ts'
import { route } from '../../http/route.ts'
import { rebuildMarks } from './rebuild.ts'

export const rebuild = [
  route('POST /course/:name/gradebook/rebuild', courseInPath, (c, { course }) =>
    rebuildMarks(c.env, c.var.db, course, changeOf(c)),
  ),
]
