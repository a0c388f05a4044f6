/** Judging many again: a problem's submissions, a homework's, every Judge Error; and deciding what becomes of the results. */
import { Hono, type Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import * as z from 'zod'
import { hexId, problemId, problemIdText } from '#contract/fields'
import {
  bulkRejudge,
  rejudgedChangesParams,
  requeue,
  type RejudgedChange,
} from '#contract/judging/rejudges'
import { COUNT_LIMITS, REJUDGE } from '#contract/limits'
import { can } from '#contract/roles'
import { verdict } from '#contract/verdicts'
import { inBackground } from '../../../http/background.ts'
import { readJson } from '../../../http/body.ts'
import { changeOf } from '../../../http/change.ts'
import { demandCapability } from '../../../http/course-guard.ts'
import { AppError } from '../../../http/errors.ts'
import { fromCursor, toPage } from '../../../http/paging.ts'
import { ok } from '../../../http/respond.ts'
import { requireUser, type UserEnv } from '../../../http/session.ts'
import { jsonBody, query } from '../../../http/legacy.ts'
import { nowSeconds } from '../../../lib/clock.ts'
import { sendEnds } from '../../../lib/live.ts'
import type { OperationRow } from '../../operations/queries.ts'
import { findProblemAccess, type ProblemAccess } from '../../problems/access-queries.ts'
import { cancelJudging, findPending } from '../cancel-queries.ts'
import { apply, cancel, startRejudge, type RejudgeRequest } from './bulk-rejudge.ts'
import { demandRejudge, getProblemRejudge } from './operation-queries.ts'
import { listChanges } from './outcome-queries.ts'
import { findRejudgedHomework, listRejudgedCourses } from './rejudge-guard-queries.ts'
import { listProblemsWithJudgeErrors } from './target-queries.ts'

/** What the guards found out. */
interface RejudgeEnv extends UserEnv {
  Variables: UserEnv['Variables'] & {
    access: ProblemAccess
    request: RejudgeRequest
    rejudge: OperationRow
  }
}

/** Lets staff of the problem's course through. */
const onProblem = createMiddleware<RejudgeEnv>(async (c, next) => {
  const id = problemIdText.safeParse(c.req.param('id'))
  const found = id.success
    ? await findProblemAccess(c.var.db, c.var.user, id.data, nowSeconds())
    : undefined
  if (!found) throw new AppError('problem_not_found')
  demandCapability(found.standing, 'submission.rejudge')
  c.set('access', found)
  await next()
})

/** Lets staff of the homework's course through. */
const onHomework = createMiddleware<RejudgeEnv>(async (c, next) => {
  const id = hexId.safeParse(c.req.param('id'))
  const found = id.success ? await findRejudgedHomework(c.var.db, c.var.user, id.data) : undefined
  if (!found || !can(found.standing, 'course.read')) throw new AppError('homework_not_found')
  demandCapability(found.standing, 'submission.rejudge')
  const { homeworkId, courseId, problemIds, startAt: since } = found
  c.set('request', { subject: `homework ${homeworkId}`, courseId, problemIds, since })
  await next()
})

/** Lets through who is staff somewhere; a problem the body names must be in one of their courses. */
const asStaff = createMiddleware<RejudgeEnv>(async (c, next) => {
  const body = await readJson(c)
  const named: unknown =
    typeof body === 'object' && body !== null ? Reflect.get(body, 'problemId') : undefined
  const { data: id } = problemId.safeParse(named)
  const { courseIds, holder } = await listRejudgedCourses(c.var.db, c.var.user, id ?? null)
  if (courseIds.length === 0) throw new AppError('forbidden')
  if (id === undefined) {
    const problemIds = await listProblemsWithJudgeErrors(c.var.db, courseIds)
    c.set('request', { subject: 'judge errors', courseId: null, problemIds })
  } else {
    if (!holder) throw new AppError('problem_not_found')
    if (!holder.hasTestData) throw new AppError('no_test_data')
    c.set('request', { subject: `problem ${id}`, courseId: holder.courseId, problemIds: [id] })
  }
  await next()
})

/** Lets through who may decide about the rejudge. */
const onRejudge = createMiddleware<RejudgeEnv>(async (c, next) => {
  const id = hexId.safeParse(c.req.param('jobId'))
  if (!id.success) throw new AppError('job_not_found')
  c.set('rejudge', await demandRejudge(c.var.db, c.var.user, id.data))
  await next()
})

async function start(c: Context<RejudgeEnv>, request: RejudgeRequest) {
  return ok(c, await startRejudge(c.env, c.var.db, request, changeOf(c)), 'OK', 202)
}

type ChangeRow = Awaited<ReturnType<typeof listChanges>>[number]

/** Row → contract. */
function toRejudgedChange(row: ChangeRow): RejudgedChange {
  return {
    submissionId: row.submissionId,
    problemId: row.problemId,
    user: row.user,
    from: { status: verdict.parse(row.fromStatus), score: row.fromScore },
    to: { status: verdict.parse(row.toStatus), score: row.toScore },
  }
}

const position = z.tuple([z.int(), hexId])

export const rejudging = new Hono<RejudgeEnv>()
  .get('/problem/:id/rejudge', requireUser, onProblem, async (c) =>
    ok(c, await getProblemRejudge(c.var.db, c.var.access.problemId, REJUDGE.mostCounted)),
  )
  .post('/problem/:id/rejudge', requireUser, onProblem, jsonBody(bulkRejudge), async (c) => {
    const { problemId: id, courseId, hasTestData } = c.var.access
    if (!hasTestData) throw new AppError('no_test_data')
    const { status: statuses, ...how } = c.req.valid('json')
    const subject = `problem ${id}`
    return start(c, { ...how, statuses, subject, courseId, problemIds: [id], ofProblem: id })
  })
  .post('/homework/:id/rejudge', requireUser, onHomework, jsonBody(bulkRejudge), async (c) => {
    const { status: statuses, ...how } = c.req.valid('json')
    return start(c, { ...c.var.request, ...how, statuses })
  })
  .post('/runners/requeue', requireUser, asStaff, jsonBody(requeue), async (c) =>
    start(c, { ...c.var.request, statuses: [c.req.valid('json').status] }),
  )
  .get('/jobs/:jobId/changes', requireUser, onRejudge, query(rejudgedChangesParams), async (c) => {
    const { cursor, limit = COUNT_LIMITS.listItemsDefault } = c.req.valid('query')
    const after = fromCursor(cursor, position) ?? [0, '']
    const rows = await listChanges(c.var.db, c.var.rejudge.id, { after, limit })
    const page = toPage(rows, limit, (row) => [row.finishedAt, row.judgementId])
    return ok(c, { items: page.rows.map(toRejudgedChange), next: page.next })
  })
  .post('/jobs/:jobId/apply', requireUser, onRejudge, async (c) => {
    await apply(c.env, c.var.db, c.var.rejudge, changeOf(c))
    return ok(c, null)
  })
  .post('/jobs/:jobId/cancel', requireUser, onRejudge, async (c) => {
    await cancel(c.var.db, c.var.rejudge, changeOf(c))
    return ok(c, null)
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
