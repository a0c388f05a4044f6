/** Judging many again: a problem's submissions, a homework's, every Judge Error. */
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { hexId, problemId, problemIdText } from '#contract/fields'
import { can } from '#contract/roles'
import { bulkRejudge, requeue } from '#contract/judging/runners'
import { inBackground } from '../../../http/background.ts'
import { readJson } from '../../../http/body.ts'
import { changeOf } from '../../../http/change.ts'
import { demandCapability } from '../../../http/course-guard.ts'
import { AppError } from '../../../http/errors.ts'
import { ok } from '../../../http/respond.ts'
import { requireUser, type UserEnv } from '../../../http/session.ts'
import { jsonBody } from '../../../http/legacy.ts'
import { nowSeconds } from '../../../lib/clock.ts'
import { sendEnds } from '../../../lib/live.ts'
import { cancelJudging, findPending } from '../cancel-queries.ts'
import { cancelBulkRejudge } from './cancel-rejudge.ts'
import { startBulkRejudge } from './bulk-rejudge.ts'
import { demandRejudgeable } from './problem-guard.ts'
import { findRejudgedHomework, listRejudgedCourses } from './rejudge-guard-queries.ts'

/** What the guards found out: which problems or courses, from when on. */
interface RejudgeEnv extends UserEnv {
  Variables: UserEnv['Variables'] & {
    range: { subject: string; problemIds?: number[]; courseIds?: number[]; since?: number }
  }
}

/** Lets staff of the problem's course through. */
const onProblem = createMiddleware<RejudgeEnv>(async (c, next) => {
  const { problemId: id, hasTestData } = await demandRejudgeable(c)
  if (!hasTestData) throw new AppError('no_test_data')
  c.set('range', { subject: `problem ${id}`, problemIds: [id] })
  await next()
})

/** Lets staff of the homework's course through. */
const onHomework = createMiddleware<RejudgeEnv>(async (c, next) => {
  const id = hexId.safeParse(c.req.param('id'))
  const found = id.success ? await findRejudgedHomework(c.var.db, c.var.user, id.data) : undefined
  if (!found || !can(found.standing, 'course.read')) throw new AppError('homework_not_found')
  demandCapability(found.standing, 'submission.rejudge')
  const { homeworkId, problemIds, startAt: since } = found
  c.set('range', { subject: `homework ${homeworkId}`, problemIds, since })
  await next()
})

/** Lets through who is staff somewhere; a problem the body names must be in one of their courses. */
const asStaff = createMiddleware<RejudgeEnv>(async (c, next) => {
  const body = await readJson(c)
  const named: unknown =
    typeof body === 'object' && body !== null ? Reflect.get(body, 'problemId') : undefined
  const id = problemId.safeParse(named)
  const { courseIds, holdsProblem, hasTestData } = await listRejudgedCourses(
    c.var.db,
    c.var.user,
    id.data ?? null,
  )
  if (courseIds.length === 0) throw new AppError('forbidden')
  if (id.success && !holdsProblem) throw new AppError('problem_not_found')
  if (id.success && !hasTestData) throw new AppError('no_test_data')
  c.set(
    'range',
    id.success
      ? { subject: `problem ${id.data}`, problemIds: [id.data] }
      : { subject: 'judge errors', courseIds },
  )
  await next()
})

export const rejudging = new Hono<RejudgeEnv>()
  .post('/jobs/:jobId/cancel', requireUser, async (c) => {
    const id = hexId.safeParse(c.req.param('jobId'))
    if (!id.success) throw new AppError('job_not_found')
    const { db, user } = c.var
    return ok(c, await cancelBulkRejudge(c.env, db, id.data, user, changeOf(c)), 'OK', 202)
  })
  .post('/problem/:id/rejudge', requireUser, onProblem, jsonBody(bulkRejudge), async (c) => {
    const request = { ...c.var.range, statuses: c.req.valid('json').status }
    return ok(c, await startBulkRejudge(c.env, c.var.db, request, changeOf(c)), 'OK', 202)
  })
  .post('/problem/:id/cancel', requireUser, async (c) => {
    const id = problemIdText.safeParse(c.req.param('id'))
    if (!id.success) throw new AppError('problem_not_found')
    const { db, user } = c.var
    const { access, ids, more } = await findPending(db, user, id.data, nowSeconds())
    if (!access) throw new AppError('problem_not_found')
    demandCapability(access.standing, 'submission.rejudge')
    const cancelled = await cancelJudging(db, ids, 'staff', `problem ${id.data}`, changeOf(c))
    inBackground(c, 'cancelled', sendEnds(c.env, cancelled))
    return ok(c, { count: cancelled.length, more })
  })
  .post('/homework/:id/rejudge', requireUser, onHomework, jsonBody(bulkRejudge), async (c) => {
    const request = { ...c.var.range, statuses: c.req.valid('json').status }
    return ok(c, await startBulkRejudge(c.env, c.var.db, request, changeOf(c)), 'OK', 202)
  })
  .post('/runners/requeue', requireUser, asStaff, jsonBody(requeue), async (c) => {
    const request = { ...c.var.range, statuses: [c.req.valid('json').status] }
    return ok(c, await startBulkRejudge(c.env, c.var.db, request, changeOf(c)), 'OK', 202)
  })
