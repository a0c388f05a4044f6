/** /submission: hand in, list, read, rejudge. */
import type { Context } from 'hono'
import { hexId } from '#contract/fields'
import { COUNT_LIMITS } from '#contract/limits'
import { can, standingOfRole, type Standing } from '#contract/roles'
import { newSubmission } from '#contract/submissions'
import type { Db } from '../../db/client.ts'
import type { SessionUser } from '../../db/sessions.ts'
import { findStanding } from '../../db/standing.ts'
import { readForm } from '../../http/body.ts'
import { inBackground } from '../../http/background.ts'
import { changeOf } from '../../http/change.ts'
import { demandCapability } from '../../http/course-guard.ts'
import { AppError } from '../../http/errors.ts'
import { guardInPath } from '../../http/guard.ts'
import { idempotencyKeyOf } from '../../http/idempotency-key.ts'
import { fromCursor, toCursor, toPage } from '../../http/paging.ts'
import { route } from '../../http/route.ts'
import type { UserEnv } from '../../http/session.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { secondsOfId } from '../../lib/ids.ts'
import { sendEnds } from '../../lib/live.ts'
import { sendTickets } from '../../lib/queues.ts'
import { cancelJudging } from '../judging/cancel-queries.ts'
import { rejudge } from '../judging/rejudge/rejudge-queries.ts'
import { listPackedHints } from '../mistakes/hint-queries.ts'
import { findProblemAccess } from '../problems/access-queries.ts'
import { completeSubmission, createSubmission, requireClaimed, type Accepted } from './create.ts'
import { openJudgement, toSubmissionDetail, withJudgement, withPacked } from './detail.ts'
import { findProblemStanding, listSubmissions, toSubmissionItem } from './list-queries.ts'
import { readCaseOutput } from './outputs.ts'
import { pendingTag, unchangedTag, withLatestProgress } from './pending-tag.ts'
import { readPacked } from '../storage/pack-queries.ts'
import { unpack } from '../storage/unpack-queries.ts'
import { findSubmissionAccess, getSubmission, type SubmissionAccess } from './queries.ts'

/** The submission of the path, for people who see it. */
const submissionInPath = guardInPath('submission', 'submission_not_found', hexId, (c, id) =>
  findSubmissionAccess(c.var.db, c.var.user, id),
)

/** The submission of the path with all that is shown of it; only its tag if nothing has changed since the caller's last read. */
const wholeSubmission = guardInPath('submission', 'submission_not_found', hexId, async (c, id) => {
  const tag = await unchangedTag(c, id)
  return tag === null
    ? await getSubmission(c.var.db, c.var.user, id, nowSeconds())
    : { unchanged: tag }
})

/** The caller's submission that the path names and that waits for its code. It is found before the body is read, which may take long. */
const claimedSubmission = guardInPath('submission', 'submission_not_found', hexId, (c, id) =>
  requireClaimed(c.var.db, id, changeOf(c)),
)

/** Refuses with 404 a call whose body names a problem that the caller does not see. */
async function demandProblem(c: Context<UserEnv>, body: unknown): Promise<void> {
  const named = newSubmission.pick({ problemId: true }).safeParse(body)
  if (!named.success) return
  const { problemId } = named.data
  if (!(await findProblemAccess(c.var.db, c.var.user, problemId, nowSeconds())))
    throw new AppError('problem_not_found')
}

/**
 * A person's standing for a list that names no course. If it names a problem, that problem's course counts. Else an admin is staff
 * everywhere, and everybody else sees their own submissions.
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

/** Has an accepted submission judged. */
function accept(c: Context<UserEnv>, { submissionId, judgementId }: Accepted) {
  if (judgementId) c.executionCtx.waitUntil(sendTickets(c.env, [judgementId]))
  return { submissionId }
}

/** Judges a submission again. */
async function judgeAgain(c: Context<UserEnv>, access: SubmissionAccess): Promise<void> {
  if (!access.hasTestData) throw new AppError('no_test_data')
  const { db } = c.var
  let judgementId = await rejudge(db, access, changeOf(c))
  if (judgementId === null) {
    const lost = await unpack(c.env.BUCKET, db, [access.submissionId])
    judgementId = lost.length > 0 ? null : await rejudge(db, access, changeOf(c))
  }
  if (judgementId === null) throw new AppError('object_lost')
  c.executionCtx.waitUntil(sendTickets(c.env, [judgementId]))
}

export const submissions = [
  route(
    'POST /submission',
    async (c, { body }) => {
      const key = await idempotencyKeyOf(c, () => demandProblem(c, body))
      return accept(c, await createSubmission(c.env, c.var.db, body, key, changeOf(c)))
    },
    { beforeRefusal: demandProblem },
  ),
  route('PUT /submission/:id', claimedSubmission, async (c, { submission, params: { id } }) => {
    const file = (await readForm(c)).get('code')
    if (file === null) throw new AppError('empty_code')
    const code = typeof file === 'string' ? new Blob([file]) : file
    return accept(c, await completeSubmission(c.var.db, id, submission, code, changeOf(c)))
  }),
  route('GET /submission', async (c, { query }) => {
    const { course: courseName, cursor, limit, offset, count, ...filter } = query
    const { db, user } = c.var
    const course = courseName === undefined ? null : await findStanding(db, user, courseName)
    if (course === undefined) throw new AppError('course_not_found')
    if (course) demandCapability(course.standing, 'course.read')
    const seesAll = can(
      course?.standing ?? (await standingWithoutCourse(db, user, filter.problemId)),
      'submission.readAll',
    )
    if (filter.label !== undefined && !seesAll) throw new AppError('forbidden')
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
    return {
      submissions: page.rows.map((row) => toSubmissionItem(row, seesAll)),
      next: stop === null ? page.next : toCursor(stop),
      ...(stop !== null && { searchedTo: secondsOfId(stop) }),
    }
  }),
  route('GET /submission/:id', wholeSubmission, async (c, { submission: stored }) => {
    if ('unchanged' in stored) return c.body(null, 304, { ETag: stored.unchanged })
    const open = openJudgement(stored)
    const pending = open && (await withLatestProgress(c.env, open))
    if (pending) c.header('ETag', pendingTag(pending, nowSeconds()))
    const loaded = pending ? withJudgement(stored, pending) : stored
    if (loaded.item.packId === null) return toSubmissionDetail(loaded)
    const { submissionId } = loaded.item
    const packed = (await readPacked(c.env.BUCKET, c.var.db, [submissionId])).get(submissionId)
    if (packed) {
      const judgement = packed.judgements.find(({ id }) => id === loaded.item.judgementId)
      // Only a judgement with a mistake has failed.
      const hints = judgement?.mistake
        ? await listPackedHints(c.var.db, c.var.user, submissionId, judgement)
        : []
      return toSubmissionDetail(withPacked(loaded, packed, hints))
    }
    if (packed === null) throw new AppError('object_lost')
    // The submission was taken out of its pack just now.
    const again = await getSubmission(c.var.db, c.var.user, submissionId, nowSeconds())
    if (!again) throw new AppError('submission_not_found')
    return toSubmissionDetail(again)
  }),
  route('GET /submission/:id/output/:task/:case', submissionInPath, (c, { submission, params }) =>
    readCaseOutput(c.env, c.var.db, submission, params.task, params.case),
  ),
  route('POST /submission/:id/cancel', submissionInPath, async (c, { submission }) => {
    const { submissionId, standing, isOwn } = submission
    demandCapability(standing, isOwn ? 'submission.create' : 'submission.rejudge')
    const by = can(standing, 'submission.rejudge') ? 'staff' : 'author'
    const { db } = c.var
    const cancelled = await cancelJudging(db, [submissionId], by, submissionId, changeOf(c))
    if (cancelled.length === 0) throw new AppError('not_pending')
    inBackground(c, 'cancelled', sendEnds(c.env, cancelled))
  }),
  route('POST /submission/:id/rejudge', submissionInPath, (c, { submission }) =>
    judgeAgain(c, submission),
  ),
  route('GET /submission/:id/rejudge', submissionInPath, (c, { submission }) =>
    judgeAgain(c, submission),
  ),
]
