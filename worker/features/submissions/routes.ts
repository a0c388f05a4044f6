/** /submission: hand in, list, read, rejudge. */
import { Hono, type Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import * as z from 'zod'
import { hexId, intBetween } from '#contract/fields'
import { COUNT_LIMITS } from '#contract/limits'
import { can, standingOfRole, type Capability, type Standing } from '#contract/roles'
import { newSubmission, submissionListParams } from '#contract/submissions'
import type { Db } from '../../db/client.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { findStanding } from '../../db/standing.ts'
import { readForm } from '../../http/body.ts'
import { inBackground } from '../../http/background.ts'
import { changeOf } from '../../http/change.ts'
import { demandCapability } from '../../http/course-guard.ts'
import { AppError } from '../../http/errors.ts'
import { idempotencyKeyOf } from '../../http/idempotency-key.ts'
import { fromCursor, toCursor, toPage } from '../../http/paging.ts'
import { ok } from '../../http/respond.ts'
import { requireUser, type UserEnv } from '../../http/session.ts'
import { jsonBody, params, query } from '../../http/validate.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { secondsOfId } from '../../lib/ids.ts'
import { sendEnds } from '../../lib/live.ts'
import { sendTickets } from '../../lib/queues.ts'
import { cancelJudging } from '../judging/cancel-queries.ts'
import { rejudge } from '../judging/rejudge/rejudge-queries.ts'
import { findProblemAccess } from '../problems/access-queries.ts'
import { completeSubmission, createSubmission, requireClaimed } from './create.ts'
import { openJudgement, toSubmissionDetail, withJudgement, withPacked } from './detail.ts'
import { findProblemStanding, listSubmissions, toSubmissionItem } from './list-queries.ts'
import { readCaseOutput } from './outputs.ts'
import { pendingTag, unchangedWhilePending, withLatestProgress } from './pending-tag.ts'
import { readPacked } from '../storage/pack-queries.ts'
import { unpack } from '../storage/unpack-queries.ts'
import { findSubmissionAccess, getSubmission, type SubmissionAccess } from './queries.ts'

interface SubmissionEnv extends UserEnv {
  Variables: UserEnv['Variables'] & { access: SubmissionAccess }
}

/** Lets through who sees the submission of the path and has the capability in its course. */
function onSubmission(capability: Capability) {
  return createMiddleware<SubmissionEnv>(async (c, next) => {
    const id = hexId.safeParse(c.req.param('id'))
    const access = id.success
      ? await findSubmissionAccess(c.var.db, c.var.user, id.data)
      : undefined
    if (!access) throw new AppError('submission_not_found')
    demandCapability(access.standing, capability)
    c.set('access', access)
    await next()
  })
}

const casePath = z.object({
  id: z.string(),
  task: z.coerce.number<string>().pipe(intBetween(0, COUNT_LIMITS.subtasks)),
  case: z.coerce.number<string>().pipe(intBetween(0, COUNT_LIMITS.casesPerSubtask)),
})

/** Refuses with 404 a call whose body names a problem that the caller does not see. */
async function demandProblem(c: Context<SubmissionEnv>, body: unknown): Promise<void> {
  const named = newSubmission.pick({ problemId: true }).safeParse(body)
  if (!named.success) return
  const { problemId } = named.data
  if (!(await findProblemAccess(c.var.db, c.var.user, problemId, nowSeconds())))
    throw new AppError('problem_not_found')
}

/**
 * What a person is towards a list that names no course: a problem is in one; else an admin is staff everywhere,
 * and everybody else sees their own.
 */
async function standingWithoutCourse(
  db: Db,
  user: SessionUser,
  problemId: number | undefined,
): Promise<Standing> {
  const standing = standingOfRole(user.role)
  if (problemId === undefined || can(standing, 'submission.readAll')) return standing
  return (await findProblemStanding(db, user, problemId)) ?? standing
}

export const submissions = new Hono<SubmissionEnv>()
  .post(
    '/submission',
    requireUser,
    jsonBody(
      newSubmission,
      (errors) =>
        errors.some(({ path }) => path[0] === 'languageType') ? 'no_language' : 'bad_body',
      demandProblem,
    ),
    async (c) => {
      const form = c.req.valid('json')
      const key = await idempotencyKeyOf(c, () => demandProblem(c, form))
      const accepted = await createSubmission(c.env, c.var.db, form, key, changeOf(c))
      if (accepted.judgementId) c.executionCtx.waitUntil(sendTickets(c.env, [accepted.judgementId]))
      return ok(c, { submissionId: accepted.submissionId })
    },
  )
  .put('/submission/:id', requireUser, params(z.object({ id: hexId })), async (c) => {
    const { id } = c.req.valid('param')
    const { db } = c.var
    // Before the body is read, which may take its time.
    const claimed = await requireClaimed(db, id, changeOf(c))
    const file = (await readForm(c)).get('code')
    if (file === null) throw new AppError('empty_code')
    const code = typeof file === 'string' ? new Blob([file]) : file
    const accepted = await completeSubmission(db, id, claimed, code, changeOf(c))
    if (accepted.judgementId) c.executionCtx.waitUntil(sendTickets(c.env, [accepted.judgementId]))
    return ok(c, { submissionId: accepted.submissionId })
  })
  .get('/submission', requireUser, query(submissionListParams), async (c) => {
    const { course: courseName, cursor, limit, offset, count, ...filter } = c.req.valid('query')
    const { db } = c.var
    const { user } = c.var
    const course = courseName === undefined ? null : await findStanding(db, user, courseName)
    if (course === undefined) throw new AppError('course_not_found')
    if (course) demandCapability(course.standing, 'course.read')
    const seesAll = can(
      course?.standing ?? (await standingWithoutCourse(db, user, filter.problemId)),
      'submission.readAll',
    )
    const size = limit ?? count ?? COUNT_LIMITS.listItemsDefault
    const { rows, stop } = await listSubmissions(db, {
      ...filter,
      courseId: course?.id ?? null,
      userId: seesAll ? null : user.id,
      before: fromCursor(cursor, hexId),
      offset: offset ?? 0,
      limit: size,
    })
    const page = toPage(rows, size, (row) => row.submissionId)
    return ok(c, {
      submissions: page.rows.map((row) => toSubmissionItem(row, seesAll)),
      next: stop === null ? page.next : toCursor(stop),
      ...(stop !== null && { searchedTo: secondsOfId(stop) }),
    })
  })
  .get('/submission/:id', requireUser, unchangedWhilePending, async (c) => {
    const id = hexId.safeParse(c.req.param('id'))
    const stored = id.success && (await getSubmission(c.var.db, c.var.user, id.data, nowSeconds()))
    if (!stored) throw new AppError('submission_not_found')
    const open = openJudgement(stored)
    const pending = open && (await withLatestProgress(c.env, open))
    if (pending) c.header('ETag', pendingTag(pending, nowSeconds()))
    const loaded = pending ? withJudgement(stored, pending) : stored
    if (loaded.item.packId === null) return ok(c, toSubmissionDetail(loaded))
    const { submissionId } = loaded.item
    const packed = (await readPacked(c.env.BUCKET, c.var.db, [submissionId])).get(submissionId)
    if (packed) return ok(c, toSubmissionDetail(withPacked(loaded, packed)))
    if (packed === null) throw new AppError('object_lost')
    // It was taken out of its pack in this moment.
    const again = await getSubmission(c.var.db, c.var.user, submissionId, nowSeconds())
    if (!again) throw new AppError('submission_not_found')
    return ok(c, toSubmissionDetail(again))
  })
  .get(
    '/submission/:id/output/:task/:case',
    requireUser,
    onSubmission('course.read'),
    params(casePath),
    async (c) => {
      const { task: subtask, case: caseIndex } = c.req.valid('param')
      return ok(c, await readCaseOutput(c.env, c.var.db, c.var.access, subtask, caseIndex))
    },
  )
  .post('/submission/:id/cancel', requireUser, onSubmission('course.read'), async (c) => {
    const { access, db } = c.var
    const { submissionId, standing, isOwn } = access
    if (!isOwn) demandCapability(standing, 'submission.rejudge')
    const by = can(standing, 'submission.rejudge') ? 'staff' : 'author'
    const cancelled = await cancelJudging(db, [submissionId], by, submissionId, changeOf(c))
    if (cancelled.length === 0) throw new AppError('not_pending')
    inBackground(c, 'cancelled', sendEnds(c.env, cancelled))
    return ok(c, null)
  })
  .on(
    ['GET', 'POST'],
    '/submission/:id/rejudge',
    requireUser,
    onSubmission('submission.rejudge'),
    async (c) => {
      if (!c.var.access.hasTestData) throw new AppError('no_test_data')
      const { db, access } = c.var
      let judgementId = await rejudge(db, access, changeOf(c))
      if (judgementId === null) {
        const lost = await unpack(c.env.BUCKET, db, [access.submissionId])
        judgementId = lost.length > 0 ? null : await rejudge(db, access, changeOf(c))
      }
      if (judgementId === null) throw new AppError('object_lost')
      c.executionCtx.waitUntil(sendTickets(c.env, [judgementId]))
      return ok(c, null)
    },
  )
