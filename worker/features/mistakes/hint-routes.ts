/** Hints: staff write them, students say whether they helped. */
import { hexId } from '#contract/fields'
import { AppError } from '../../http/errors.ts'
import { guardInPath } from '../../http/guard.ts'
import { route } from '../../http/route.ts'
import { problemInPath } from '../problems/guard.ts'
import { findSubmissionAccess } from '../submissions/queries.ts'

const submissionInPath = guardInPath('submission', 'submission_not_found', hexId, (c, id) =>
  findSubmissionAccess(c.var.db, c.var.user, id),
)

export const hints = [
  route('POST /problem/:id/hints', problemInPath, () => {
    throw new AppError('not_found')
  }),
  route('PUT /problem/:id/hints/:hintId', problemInPath, () => {
    throw new AppError('not_found')
  }),
  route('DELETE /problem/:id/hints/:hintId', problemInPath, () => {
    throw new AppError('not_found')
  }),
  route('PUT /submission/:id/hints/:hintId', submissionInPath, () => {
    throw new AppError('not_found')
  }),
]
