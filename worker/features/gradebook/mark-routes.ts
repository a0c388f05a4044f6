/** Marks with their derivations: a cell for staff, a student's own. */
import { can } from '#contract/roles'
import { changeOf } from '../../http/change.ts'
import { courseInPath } from '../../http/course-guard.ts'
import { AppError } from '../../http/errors.ts'
import { route } from '../../http/route.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { seesColumn } from './columns-queries.ts'
import { Explainer, explainCell } from './explain.ts'
import { findStudent, selectExplained, selectShown } from './explain-queries.ts'
import { getOwnMarks } from './own-marks.ts'

export const marks = [
  route(
    'GET /course/:name/gradebook/:columnId/:username',
    courseInPath,
    async (c, { course, params }) => {
      const { db } = c.var
      const now = nowSeconds()
      const student = await findStudent(db, course.id, params.username)
      if (!student) throw new AppError('user_not_found')
      const [shown, columns, groups, problems, rows, given, settings, questions] = await db.batch([
        selectShown(db, course.id, student.id, now),
        ...selectExplained(db, course.id, [student.id]),
      ])
      const explainer = new Explainer(
        [columns, groups, problems, rows, given, settings, questions],
        course.timeZone,
      )
      const seesTotal = seesColumn(course.standing, explainer.total)
      const mark = explainCell(explainer, student, params.columnId, seesTotal)
      if (!mark) throw new AppError('column_not_found')
      const isHeld = shown.find(({ columnId }) => columnId === params.columnId)?.isHeld
      return { ...mark, held: Boolean(isHeld) }
    },
  ),
  route('GET /course/:name/marks', courseInPath, (c, { course }) => {
    const { id, username, displayedName, role } = c.var.user
    const user = { username, displayedName, role }
    return can(course.standing, 'gradebook.read')
      ? { user, marks: [], groups: [], total: null, reachable: null, hidden: [] }
      : getOwnMarks(c.var.db, course, { id, ...user }, changeOf(c))
  }),
  route('GET /course/:name/marks/:username', courseInPath, async (c, { course, params }) => {
    const student = await findStudent(c.var.db, course.id, params.username)
    if (!student) throw new AppError('user_not_found')
    return getOwnMarks(c.var.db, course, student, changeOf(c))
  }),
]
