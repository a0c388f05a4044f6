/** Guards of calls about questions, and about the problems and submissions that people ask about. */
import { hexId, problemIdText } from '#contract/fields'
import { guardInPath } from '../../http/guard.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { findProblemAccess } from '../problems/access-queries.ts'
import { findSubmissionAccess } from '../submissions/queries.ts'
import { findQuestionAccess, getQuestion } from './queries.ts'

/** The question of the path, for people who see it. */
export const questionInPath = guardInPath('question', 'question_not_found', hexId, (c, id) =>
  findQuestionAccess(c.var.db, c.var.user, id),
)

/** The question of the path with its messages. */
export const wholeQuestion = guardInPath('question', 'question_not_found', hexId, (c, id) =>
  getQuestion(c.var.db, c.var.user, id),
)

/** The problem of the path as the subject of the caller's question. */
export const aboutProblem = guardInPath(
  'problem',
  'problem_not_found',
  problemIdText,
  async (c, id) => {
    const access = await findProblemAccess(c.var.db, c.var.user, id, nowSeconds())
    if (!access) return undefined
    const { courseId, problemId, standing } = access
    const studentId = c.var.user.id
    return { courseId, problemId, standing, submissionId: null, line: null, studentId }
  },
)

/** The submission of the path as the subject of a question, for its student and staff. `isPacked`: whether a pack has its code. */
export const aboutSubmission = guardInPath(
  'submission',
  'submission_not_found',
  hexId,
  async (c, id) => {
    const access = await findSubmissionAccess(c.var.db, c.var.user, id)
    if (!access) return undefined
    const { courseId, problemId, standing, submissionId, userId, packId } = access
    const about = { courseId, problemId, standing, submissionId, line: null, studentId: userId }
    return { about, isPacked: packId !== null }
  },
)
