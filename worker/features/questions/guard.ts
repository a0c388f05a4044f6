/** Guards of calls about questions, and about the problems and submissions that people ask about. */
import { hexId, problemIdText } from '#contract/fields'
import { can, type Standing } from '#contract/roles'
import { AppError } from '../../http/errors.ts'
import { guardInPath } from '../../http/guard.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { findHomeworkAccess } from '../homeworks/queries.ts'
import { findProblemAccess } from '../problems/access-queries.ts'
import { findSubmissionAccess } from '../submissions/queries.ts'
import { findQuestionAccess, getQuestion } from './queries.ts'

/** What questions about a problem have in common. */
const ABOUT_PROBLEM = { homeworkId: null, columnId: null, submissionId: null, teacherOnly: false }

/** Refuses to write in questions; of those who read them, only the students of a closed course may not. */
export function demandAsking(standing: Standing): void {
  if (!can(standing, 'question.ask')) throw new AppError('course_closed')
}

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
    const { courseId, timeZone, problemId, standing } = access
    const studentId = c.var.user.id
    return { ...ABOUT_PROBLEM, courseId, timeZone, problemId, standing, line: null, studentId }
  },
)

/** The homework of the path as the subject of the caller's request, for members of its course. */
export const aboutHomework = guardInPath('homework', 'homework_not_found', hexId, async (c, id) => {
  const found = await findHomeworkAccess(c.var.db, c.var.user, id)
  return found && can(found.standing, 'course.read') ? found : undefined
})

/** The submission of the path as the subject of a question, for its student and staff. `isPacked`: whether a pack has its code. */
export const aboutSubmission = guardInPath(
  'submission',
  'submission_not_found',
  hexId,
  async (c, id) => {
    const access = await findSubmissionAccess(c.var.db, c.var.user, id)
    if (!access) return undefined
    const { courseId, timeZone, problemId, standing, submissionId, userId, packId } = access
    const about = {
      ...ABOUT_PROBLEM,
      courseId,
      timeZone,
      problemId,
      standing,
      submissionId,
      studentId: userId,
    }
    return { about, isPacked: packId !== null }
  },
)
