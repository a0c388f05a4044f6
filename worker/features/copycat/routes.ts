/** /copycat: start and stop a search, read its report, compare two programs. */
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { copycatPairParams, copycatParams, copycatRef, copycatStart } from '#contract/copycat'
import { problemIdText } from '#contract/fields'
import { changeOf } from '../../http/change.ts'
import {
  demandCapability,
  inCourse,
  namedInBody,
  namedInQuery,
  type CourseEnv,
} from '../../http/course-guard.ts'
import { AppError } from '../../http/errors.ts'
import { ok } from '../../http/respond.ts'
import { requireUser } from '../../http/session.ts'
import { jsonBody, query } from '../../http/validate.ts'
import { sendSteps } from '../../lib/queues.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { findProblemAccess } from '../problems/access-queries.ts'
import { readPair, readState } from './report.ts'
import { startSearch, stopSearch } from './start-queries.ts'

/** Environment of routes about the problem of the path. */
interface CopycatEnv extends CourseEnv {
  Variables: CourseEnv['Variables'] & { problemId: number }
}

/** Lets staff of the problem's course through. */
const onProblem = createMiddleware<CopycatEnv>(async (c, next) => {
  const id = problemIdText.safeParse(c.req.param('id'))
  const access = id.success
    ? await findProblemAccess(c.var.db, c.var.user, id.data, nowSeconds())
    : undefined
  if (!access) throw new AppError('problem_not_found')
  demandCapability(access.standing, 'copycat.use')
  c.set('problemId', access.problemId)
  await next()
})

const inNamedCourse = inCourse(namedInBody('course'), 'copycat.use')

export const copycat = new Hono<CopycatEnv>()
  .post('/copycat', requireUser, inNamedCourse, jsonBody(copycatStart), async (c) => {
    const { id } = c.var.course
    const started = await startSearch(c.var.db, id, c.req.valid('json'), changeOf(c))
    const { isNew, ...answer } = started
    if (isNew) await sendSteps(c.env, [answer.jobId])
    return ok(c, answer, 'OK', 202)
  })
  .delete('/copycat', requireUser, inNamedCourse, jsonBody(copycatRef), async (c) => {
    const { problemId } = c.req.valid('json')
    await stopSearch(c.var.db, c.var.course.id, problemId, changeOf(c))
    return ok(c, null)
  })
  .get(
    '/copycat',
    requireUser,
    inCourse(namedInQuery, 'copycat.use'),
    query(copycatParams),
    async (c) => {
      const { problemId } = c.req.valid('query')
      return ok(c, await readState(c.var.db, c.var.course.id, problemId))
    },
  )
  .get('/copycat/:id/pair', requireUser, onProblem, query(copycatPairParams), async (c) => {
    const { left, right } = c.req.valid('query')
    return ok(c, await readPair(c.env.BUCKET, c.var.db, c.var.problemId, [left, right]))
  })
