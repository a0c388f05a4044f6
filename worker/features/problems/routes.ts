/** /problem: read, manage and copy problems, and their statistics. Test data have their own routes. */
import { Hono, type Context } from 'hono'
import * as z from 'zod'
import { toShownCompare } from '#contract/problems/compare'
import { problemIdText } from '#contract/fields'
import { COUNT_LIMITS } from '#contract/limits'
import {
  newProblem,
  problemCopy,
  problemFormOver,
  problemListParams,
  type ManagedProblem,
} from '#contract/problems'
import type { Capability } from '#contract/roles'
import { changeOf } from '../../http/change.ts'
import { demandCapability, inCourse, namedInBody } from '../../http/course-guard.ts'
import { editedVersion, sendEditable } from '../../http/edit-tag.ts'
import { AppError } from '../../http/errors.ts'
import { fromCursor, toPage } from '../../http/paging.ts'
import { ok } from '../../http/respond.ts'
import { requireUser } from '../../http/session.ts'
import { jsonBody, query } from '../../http/validate.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { insertCopy } from './copy-queries.ts'
import { deleteProblem, insertProblem, updateProblem } from './edit-queries.ts'
import { problemFiles } from './file-routes.ts'
import { onEditedProblem, onProblem, ontoCourse, type EditEnv, type ProblemEnv } from './guard.ts'
import { getProblem, listProblems } from './queries.ts'
import { demandHidden, withWaitingSamples } from './revealed-tests.ts'
import { listStudentResults } from './stats-queries.ts'
import { toProblemStats } from './stats.ts'
import { testData, zipInForm } from './test-data-routes.ts'

/**
 * Answers the problem of the path, with an ETag for callers who may edit it.
 * @param toShown the part that the call shows
 */
function sendProblem(capability: Capability, toShown: (problem: ManagedProblem) => unknown) {
  return async (c: Context<ProblemEnv>): Promise<Response> => {
    const id = problemIdText.safeParse(c.req.param('id'))
    const found = id.success && (await getProblem(c.var.db, c.var.user, id.data, nowSeconds()))
    if (!found) throw new AppError('problem_not_found')
    const { access, problem } = found
    demandCapability(access.standing, capability)
    const shown = toShown(problem)
    return problem.canManage ? sendEditable(c, access.version, shown) : ok(c, shown)
  }
}

export const problems = new Hono<ProblemEnv>()
  .get('/problem', requireUser, query(problemListParams), async (c) => {
    const {
      course,
      name,
      tags = '',
      cursor,
      limit = COUNT_LIMITS.listItemsDefault,
    } = c.req.valid('query')
    const found = await listProblems(c.var.db, c.var.user, course, {
      name,
      tags: tags
        .split(',')
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ''),
      after: fromCursor(cursor, z.int().min(1)) ?? 0,
      limit,
      now: nowSeconds(),
    })
    if (!found) throw new AppError('course_not_found')
    demandCapability(found.course.standing, 'course.read', found.course.name)
    const page = toPage(found.items, limit, (row) => row.problemId)
    return ok(c, { items: page.rows, next: page.next })
  })
  .post(
    '/problem/manage',
    requireUser,
    inCourse(namedInBody('course'), 'problem.write'),
    jsonBody(newProblem),
    async (c) => {
      const { course: _, ...form } = c.req.valid('json')
      demandHidden([], form)
      return ok(c, {
        problemId: await insertProblem(c.var.db, c.var.course, form, changeOf(c)),
      })
    },
  )
  .get(
    '/problem/manage/:id',
    requireUser,
    sendProblem('problem.write', (problem) => problem),
  )
  .get(
    '/problem/:id',
    requireUser,
    sendProblem('course.read', ({ compare, ...problem }) => ({
      ...problem,
      compare: toShownCompare(compare),
    })),
  )
  .put(
    '/problem/manage/:id',
    requireUser,
    onEditedProblem,
    zipInForm,
    jsonBody((c: Context<EditEnv>) => problemFormOver(c.var.stored)),
    async (c) => {
      const { db, access, stored } = c.var
      const form = c.req.valid('json')
      demandHidden(stored, form)
      const toStore = withWaitingSamples(stored, form)
      await updateProblem(db, access, toStore, editedVersion(c), changeOf(c))
      return ok(c, null)
    },
  )
  .delete('/problem/manage/:id', requireUser, onProblem('problem.write'), async (c) => {
    await deleteProblem(c.var.db, c.var.access, editedVersion(c), changeOf(c))
    return ok(c, null)
  })
  .post('/problem/:id/copy', requireUser, ontoCourse, jsonBody(problemCopy), async (c) => {
    const { access, course } = c.var
    return ok(c, { problemId: await insertCopy(c.var.db, access, course, changeOf(c)) })
  })
  .get('/problem/:id/stats', requireUser, onProblem('course.read'), async (c) => {
    const { students, rows } = await listStudentResults(c.var.db, c.var.access)
    return ok(c, toProblemStats(students, rows))
  })
  .route('/', problemFiles)
  .route('/', testData)
