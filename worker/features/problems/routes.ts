/** /problem: read them, manage them, copy them, their statistics. Test data have their own routes. */
import { Hono, type Context } from 'hono'
import * as z from 'zod'
import { toShownCompare } from '#contract/compare'
import { COUNT_LIMITS } from '#contract/limits'
import { newProblem, problemCopy, problemForm, problemQuery } from '#contract/problems'
import { can } from '#contract/roles'
import { openDb } from '../../db/client.ts'
import { changeOf } from '../../http/change.ts'
import { inCourse, namedInBody, namedInQuery } from '../../http/course-guard.ts'
import { editedVersion, sendEditable } from '../../http/edit-tag.ts'
import { fromCursor, toPage } from '../../http/paging.ts'
import { ok } from '../../http/respond.ts'
import { requireUser } from '../../http/session.ts'
import { jsonBody, query } from '../../http/validate.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { insertCopy } from './copy-queries.ts'
import { deleteProblem, insertProblem, updateProblem } from './edit-queries.ts'
import { onProblem, ontoCourse, type ProblemEnv } from './guard.ts'
import { getProblem, listProblems } from './queries.ts'
import { listStudentResults } from './stats-queries.ts'
import { toProblemStats } from './stats.ts'
import { testData, zipInForm } from './test-data-routes.ts'

/** The problem of the path with its version, and everything on it. */
async function readProblem(c: Context<ProblemEnv>) {
  return getProblem(openDb(c.env.DB), c.var.user, c.var.place, nowSeconds())
}

export const problems = new Hono<ProblemEnv>()
  .get(
    '/problem',
    requireUser,
    inCourse(namedInQuery, 'course.read'),
    query(problemQuery),
    async (c) => {
      const {
        name,
        tags = '',
        cursor,
        limit = COUNT_LIMITS.listItemsDefault,
      } = c.req.valid('query')
      const rows = await listProblems(openDb(c.env.DB), c.var.course, c.var.user, {
        name,
        tags: tags
          .split(',')
          .map((tag) => tag.trim())
          .filter((tag) => tag !== ''),
        after: fromCursor(cursor, z.int().min(1)) ?? 0,
        limit,
        now: nowSeconds(),
      })
      const page = toPage(rows, limit, (row) => row.problemId)
      return ok(c, { items: page.rows, next: page.next })
    },
  )
  .post(
    '/problem/manage',
    requireUser,
    inCourse(namedInBody('course'), 'problem.write'),
    jsonBody(newProblem),
    async (c) => {
      const { course: _, ...form } = c.req.valid('json')
      return ok(c, {
        problemId: await insertProblem(openDb(c.env.DB), c.var.course, form, changeOf(c)),
      })
    },
  )
  .get('/problem/manage/:id', requireUser, onProblem('problem.write'), async (c) => {
    const { version, ...problem } = await readProblem(c)
    return sendEditable(c, version, problem)
  })
  .get('/problem/:id', requireUser, onProblem('course.read'), async (c) => {
    const { version, ...managed } = await readProblem(c)
    const problem = { ...managed, compare: toShownCompare(managed.compare) }
    // Who may edit gets the tag that edits are checked against.
    const mayEdit = can(c.var.place.standing, 'problem.write')
    return mayEdit ? sendEditable(c, version, problem) : ok(c, problem)
  })
  .put(
    '/problem/manage/:id',
    requireUser,
    onProblem('problem.write'),
    zipInForm,
    jsonBody(problemForm),
    async (c) => {
      const form = c.req.valid('json')
      await updateProblem(openDb(c.env.DB), c.var.place, form, editedVersion(c), changeOf(c))
      return ok(c, null)
    },
  )
  .delete('/problem/manage/:id', requireUser, onProblem('problem.write'), async (c) => {
    await deleteProblem(openDb(c.env.DB), c.var.place, editedVersion(c), changeOf(c))
    return ok(c, null)
  })
  .post('/problem/:id/copy', requireUser, ontoCourse, jsonBody(problemCopy), async (c) => {
    const { place, course } = c.var
    return ok(c, { problemId: await insertCopy(openDb(c.env.DB), place, course, changeOf(c)) })
  })
  .get('/problem/:id/stats', requireUser, onProblem('course.read'), async (c) => {
    const { students, rows } = await listStudentResults(openDb(c.env.DB), c.var.place)
    return ok(c, toProblemStats(students, rows))
  })
  .route('/', testData)
