/** Guard of calls that judge submissions to a problem again. */
import type { Context } from 'hono'
import { problemIdText } from '#contract/fields'
import { demandCapability } from '../../../http/course-guard.ts'
import { AppError } from '../../../http/errors.ts'
import type { UserEnv } from '../../../http/session.ts'
import { nowSeconds } from '../../../lib/clock.ts'
import { findProblemAccess, type ProblemAccess } from '../../problems/access-queries.ts'

/**
 * The problem of the path, for staff of its course.
 * @throws AppError `problem_not_found` or `forbidden`
 */
export async function demandRejudgeable<E extends UserEnv>(c: Context<E>): Promise<ProblemAccess> {
  const id = problemIdText.safeParse(c.req.param('id'))
  const found = id.success
    ? await findProblemAccess(c.get('db'), c.get('user'), id.data, nowSeconds())
    : undefined
  if (!found) throw new AppError('problem_not_found')
  demandCapability(found.standing, 'submission.rejudge')
  return found
}
