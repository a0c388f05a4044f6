/** Hints: staff write them, students say whether they helped. */
import { sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { hexId } from '#contract/fields'
import { listListeners } from '../../db/listeners.ts'
import { inBackground } from '../../http/background.ts'
import { changeOf } from '../../http/change.ts'
import { AppError, fieldRefused } from '../../http/errors.ts'
import { guardInPath } from '../../http/guard.ts'
import { route } from '../../http/route.ts'
import type { UserEnv } from '../../http/session.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { liveChannels, sendEnds } from '../../lib/live.ts'
import type { ProblemAccess } from '../problems/access-queries.ts'
import { problemInPath } from '../problems/guard.ts'
import { demandAsking } from '../questions/guard.ts'
import { readPacked } from '../storage/pack-queries.ts'
import { findSubmissionAccess, type SubmissionAccess } from '../submissions/queries.ts'
import {
  answerHint,
  deleteHint,
  insertHint,
  listTriesOf,
  lookAtNew,
  lookAtStored,
  selectTries,
  updateHint,
  type About,
  type LookedAt,
} from './hint-queries.ts'
import { demandNoSecret } from './hint-secrets.ts'

const submissionInPath = guardInPath('submission', 'submission_not_found', hexId, (c, id) =>
  findSubmissionAccess(c.var.db, c.var.user, id),
)

/** Refuses a case that the problem does not have. */
function demandCase({ failed, caseCount }: LookedAt): void {
  if (failed && caseCount === null)
    throw fieldRefused(['failed', 'task'], 'invalid', 'The problem has no such subtask')
  if (failed && caseCount !== null && failed.case >= caseCount)
    throw fieldRefused(['failed', 'case'], 'invalid', 'The subtask has no such case')
}

/** Tells the open pages of everybody under whose last failing try a hint stands, or stood, to read it again. */
async function sendTries<E extends UserEnv>(
  c: Context<E>,
  { problemId, courseId }: ProblemAccess,
  about: About,
): Promise<void> {
  if (liveChannels(c.env) === undefined) return
  const { db } = c.var
  const tries = selectTries(problemId, about)
  const among = sql`select user_id from (${tries})`
  const whom = { capability: 'course.read', but: null, among } as const
  const ids = await listListeners(db, courseId, whom, nowSeconds())
  await sendEnds(c.env, await listTriesOf(db, tries, ids))
}

/** The same, after the answer. */
function tellTries<E extends UserEnv>(c: Context<E>, problem: ProblemAccess, about: About): void {
  inBackground(c, 'hints', sendTries(c, problem, about))
}

/** The current judgement of an old submission, from its pack; undefined for one that is in the database. */
async function findPackedJudgement<E extends UserEnv>(
  c: Context<E>,
  { submissionId, judgementId, packId }: SubmissionAccess,
) {
  if (packId === null) return undefined
  const packed = (await readPacked(c.env.BUCKET, c.var.db, [submissionId])).get(submissionId)
  if (packed === null) throw new AppError('object_lost')
  return packed?.judgements.find(({ id }) => id === judgementId)
}

export const hints = [
  route('POST /problem/:id/hints', problemInPath, async (c, { problem, body }) => {
    const { db } = c.var
    const looked = await lookAtNew(db, problem.problemId, body)
    if (body.failed) demandCase(looked)
    if (!body.mayNameSecret) await demandNoSecret(c.env.BUCKET, body.markdown, looked)
    const hintId = await insertHint(db, problem, looked, body.markdown, changeOf(c))
    tellTries(c, problem, looked)
    return { hintId }
  }),
  route('PUT /problem/:id/hints/:hintId', problemInPath, async (c, { problem, params, body }) => {
    const { db } = c.var
    const looked = await lookAtStored(db, problem.problemId, params.hintId)
    if (!body.mayNameSecret) await demandNoSecret(c.env.BUCKET, body.markdown, looked)
    await updateHint(db, problem, params.hintId, looked, body.markdown, changeOf(c))
    tellTries(c, problem, looked)
  }),
  route('DELETE /problem/:id/hints/:hintId', problemInPath, async (c, { problem, params }) => {
    tellTries(c, problem, await deleteHint(c.var.db, problem, params.hintId, changeOf(c)))
  }),
  route(
    'PUT /submission/:id/hints/:hintId',
    submissionInPath,
    async (c, { submission, params: { hintId }, body: { helped } }) => {
      if (!submission.isOwn) throw new AppError('forbidden')
      demandAsking(submission.standing)
      const packed = await findPackedJudgement(c, submission)
      await answerHint(c.var.db, submission, { hintId, helped }, packed)
    },
  ),
]
