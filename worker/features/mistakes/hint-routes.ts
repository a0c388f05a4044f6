/** Hints: staff write them, students say whether they helped. */
import type { Context } from 'hono'
import { hexId } from '#contract/fields'
import { changeOf } from '../../http/change.ts'
import { AppError, fieldRefused } from '../../http/errors.ts'
import { guardInPath } from '../../http/guard.ts'
import { route } from '../../http/route.ts'
import type { UserEnv } from '../../http/session.ts'
import { problemInPath } from '../problems/guard.ts'
import { demandAsking } from '../questions/guard.ts'
import { readPacked } from '../storage/pack-queries.ts'
import { findSubmissionAccess, type SubmissionAccess } from '../submissions/queries.ts'
import { answerHint, deleteHint, insertHint, updateHint } from './hint-queries.ts'
import { demandNoSecret } from './hint-secrets.ts'
import { lookAtNew, lookAtStored, type LookedAt } from './looked-queries.ts'
import { tellTries } from './tell.ts'

const submissionInPath = guardInPath('submission', 'submission_not_found', hexId, (c, id) =>
  findSubmissionAccess(c.var.db, c.var.user, id),
)

/** Refuses a hint about a case that the problem does not have. */
function demandCase({ cases: [about] }: LookedAt): void {
  if (!about) return
  const { failed, caseCount } = about
  if (caseCount === null)
    throw fieldRefused(['failed', 'task'], 'invalid', 'The problem has no such subtask')
  if (failed.case >= caseCount)
    throw fieldRefused(['failed', 'case'], 'invalid', 'The subtask has no such case')
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
