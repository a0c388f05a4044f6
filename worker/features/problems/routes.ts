/** /problem: read, manage and copy problems, and their statistics. Files and test data have their own routes. */
import { toShownCompare } from '#contract/problems/compare'
import { problemFormOver } from '#contract/problems'
import { changeOf } from '../../http/change.ts'
import { courseInBody, demandCapability } from '../../http/course-guard.ts'
import { editedVersion, sendEditable } from '../../http/edit-tag.ts'
import { toPage } from '../../http/paging.ts'
import { route } from '../../http/route.ts'
import { insertCopy } from './copy-queries.ts'
import { deleteProblem, insertProblem, updateProblem } from './edit-queries.ts'
import {
  editedProblem,
  problemAndTarget,
  problemInPath,
  problemsOfCourse,
  wholeProblem,
} from './guard.ts'
import { demandHidden, withWaitingSamples } from './revealed-tests.ts'
import { listStudentResults } from './stats-queries.ts'
import { toProblemStats } from './stats.ts'
import { takeZipInForm } from './test-data-routes.ts'

export const problems = [
  route('GET /problem', problemsOfCourse, (_, { course: { items, size } }) => {
    const page = toPage(items, size, (row) => row.problemId)
    return { items: page.rows, next: page.next }
  }),
  route('POST /problem/manage', courseInBody('course'), async (c, { course, body }) => {
    const { course: _, ...form } = body
    demandHidden([], form)
    return { problemId: await insertProblem(c.var.db, course, form, changeOf(c)) }
  }),
  route('GET /problem/manage/:id', wholeProblem, (c, { problem: { version, shown } }) =>
    sendEditable(c, version, shown),
  ),
  route('GET /problem/:id', wholeProblem, (c, { problem: { version, shown } }) => {
    const read = { ...shown, compare: toShownCompare(shown.compare) }
    return shown.canManage ? sendEditable(c, version, read) : read
  }),
  route(
    'PUT /problem/manage/:id',
    editedProblem,
    async (c, { problem, body }) => {
      if (body === undefined) return takeZipInForm(c, problem.problemId)
      demandHidden(problem.stored, body)
      const toStore = withWaitingSamples(problem.stored, body)
      await updateProblem(c.var.db, problem, toStore, editedVersion(c), changeOf(c))
      return null
    },
    { bodyFor: ({ stored }) => problemFormOver(stored) },
  ),
  route('DELETE /problem/manage/:id', problemInPath, (c, { problem }) =>
    deleteProblem(c.var.db, problem, editedVersion(c), changeOf(c)),
  ),
  route('POST /problem/:id/copy', problemAndTarget, async (c, { problem }) => ({
    problemId: await insertCopy(c.var.db, problem, problem.target, changeOf(c)),
  })),
  route('GET /problem/:id/stats', problemInPath, async (c, { problem, query: { label } }) => {
    if (label !== undefined) demandCapability(problem.standing, 'submission.readAll')
    const { students, rows } = await listStudentResults(c.var.db, problem, label)
    return toProblemStats(students, rows)
  }),
]
