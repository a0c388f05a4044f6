/** Rejudges many submissions: a problem's, a homework's, or every Judge Error; then applies or cancels the results. */
import type { Context } from 'hono'
import * as z from 'zod'
import { hexId, problemId, problemIdText } from '#contract/fields'
import type { RejudgedChange } from '#contract/judging/rejudges'
import { COUNT_LIMITS, REJUDGE } from '#contract/limits'
import { can } from '#contract/roles'
import { verdict } from '#contract/verdicts'
import { inBackground } from '../../../http/background.ts'
import { readJson } from '../../../http/body.ts'
import { changeOf } from '../../../http/change.ts'
import { AppError } from '../../../http/errors.ts'
import { guard, guardInPath } from '../../../http/guard.ts'
import { fromCursor, toPage } from '../../../http/paging.ts'
import { route } from '../../../http/route.ts'
import type { UserEnv } from '../../../http/session.ts'
import { nowSeconds } from '../../../lib/clock.ts'
import { sendEnds } from '../../../lib/live.ts'
import { findProblemAccess } from '../../problems/access-queries.ts'
import { cancelJudging, findPending } from '../cancel-queries.ts'
import { apply, startRejudge, type RejudgeRequest } from './bulk-rejudge.ts'
import { cancelRejudge, demandRejudge, getProblemRejudge } from './operation-queries.ts'
import { listChanges } from './outcome-queries.ts'
import { findRejudgedHomework, listRejudgedCourses } from './rejudge-guard-queries.ts'
import { listProblemsWithJudgeErrors } from './target-queries.ts'

/** The problem of the path, for people who see it. */
const problemInPath = guardInPath('problem', 'problem_not_found', problemIdText, (c, id) =>
  findProblemAccess(c.var.db, c.var.user, id, nowSeconds()),
)

/** The problem of the path with its submissions that wait for a verdict. */
const pendingOfProblem = guardInPath(
  'problem',
  'problem_not_found',
  problemIdText,
  async (c, id) => {
    const { access, ids, more } = await findPending(c.var.db, c.var.user, id, nowSeconds())
    return access && { ...access, ids, more }
  },
)

/** The homework of the path, for members of its course. */
const homeworkInPath = guardInPath('homework', 'homework_not_found', hexId, async (c, id) => {
  const found = await findRejudgedHomework(c.var.db, c.var.user, id)
  return found && can(found.standing, 'course.read') ? found : undefined
})

/** The problems to judge again in the courses where the caller is staff. A problem that the body names must be in one of them. */
const staffedCourses = guard('courses', async (c): Promise<RejudgeRequest> => {
  const body = await readJson(c)
  const named: unknown =
    typeof body === 'object' && body !== null ? Reflect.get(body, 'problemId') : undefined
  const { data: id } = problemId.safeParse(named)
  const { courseIds, holder } = await listRejudgedCourses(c.var.db, c.var.user, id ?? null)
  if (courseIds.length === 0) throw new AppError('forbidden')
  if (id === undefined) {
    const problemIds = await listProblemsWithJudgeErrors(c.var.db, courseIds)
    return { subject: 'judge errors', courseId: null, problemIds }
  }
  if (!holder) throw new AppError('problem_not_found')
  if (!holder.hasTestData) throw new AppError('no_test_data')
  return { subject: `problem ${id}`, courseId: holder.courseId, problemIds: [id] }
})

/** The rejudge of the path, for people who may decide about it. */
const rejudgeInPath = guardInPath(
  'operation',
  'job_not_found',
  hexId,
  (c, id) => demandRejudge(c.var.db, c.var.user, id),
  'jobId',
)

function start(c: Context<UserEnv>, request: RejudgeRequest) {
  return startRejudge(c.env, c.var.db, request, changeOf(c))
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

export const rejudging = [
  route('GET /problem/:id/rejudge', problemInPath, (c, { problem }) =>
    getProblemRejudge(c.var.db, problem.problemId, REJUDGE.mostCounted),
  ),
  route('POST /problem/:id/rejudge', problemInPath, (c, { problem, body }) => {
    const { problemId: id, courseId, hasTestData } = problem
    if (!hasTestData) throw new AppError('no_test_data')
    const { status: statuses, ...how } = body
    const subject = `problem ${id}`
    return start(c, { ...how, statuses, subject, courseId, problemIds: [id], ofProblem: id })
  }),
  route('POST /homework/:id/rejudge', homeworkInPath, (c, { homework, body }) => {
    const { homeworkId, courseId, problemIds, startAt: since } = homework
    const { status: statuses, ...how } = body
    const subject = `homework ${homeworkId}`
    return start(c, { ...how, statuses, subject, courseId, problemIds, since })
  }),
  route('POST /runners/requeue', staffedCourses, (c, { courses, body }) =>
    start(c, { ...courses, statuses: [body.status] }),
  ),
  route('GET /jobs/:jobId/changes', rejudgeInPath, async (c, { operation, query }) => {
    const { cursor, limit = COUNT_LIMITS.listItemsDefault } = query
    const after = fromCursor(cursor, position) ?? [0, '']
    const rows = await listChanges(c.var.db, operation.id, { after, limit })
    const page = toPage(rows, limit, (row) => [row.finishedAt, row.judgementId])
    return { items: page.rows.map(toRejudgedChange), next: page.next }
  }),
  route('POST /jobs/:jobId/apply', rejudgeInPath, (c, { operation }) =>
    apply(c.env, c.var.db, operation.id, changeOf(c)),
  ),
  route('POST /jobs/:jobId/cancel', rejudgeInPath, (c, { operation }) =>
    cancelRejudge(c.var.db, operation.id, changeOf(c)),
  ),
  route('POST /problem/:id/cancel', pendingOfProblem, async (c, { problem }) => {
    const { problemId: id, ids, more } = problem
    const { db } = c.var
    const cancelled = await cancelJudging(db, ids, 'staff', `problem ${id}`, changeOf(c))
    inBackground(c, 'cancelled', sendEnds(c.env, cancelled))
    return { count: cancelled.length, more }
  }),
]
