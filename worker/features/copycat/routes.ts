/** /copycat: start and stop a search, read its report, compare two programs. */
import { problemIdText } from '#contract/fields'
import { changeOf } from '../../http/change.ts'
import { courseInBody, courseInQuery } from '../../http/course-guard.ts'
import { guardInPath } from '../../http/guard.ts'
import { route } from '../../http/route.ts'
import { nowSeconds } from '../../lib/clock.ts'
import { sendSteps } from '../../lib/queues.ts'
import { findProblemAccess } from '../problems/access-queries.ts'
import { readPair, readState } from './report.ts'
import { startSearch, stopSearch } from './start-queries.ts'

/** The problem of the path. */
const problemInPath = guardInPath('problem', 'problem_not_found', problemIdText, (c, id) =>
  findProblemAccess(c.var.db, c.var.user, id, nowSeconds()),
)

export const copycat = [
  route('POST /copycat', courseInBody('course'), async (c, { course, body }) => {
    const { isNew, ...answer } = await startSearch(c.var.db, course.id, body, changeOf(c))
    if (isNew) await sendSteps(c.env, [answer.jobId])
    return answer
  }),
  route('DELETE /copycat', courseInBody('course'), (c, { course, body }) =>
    stopSearch(c.var.db, course.id, body.problemId, changeOf(c)),
  ),
  route('GET /copycat', courseInQuery, (c, { course, query }) =>
    readState(c.var.db, course.id, query.problemId),
  ),
  route('GET /copycat/:id/pair', problemInPath, (c, { problem, query }) =>
    readPair(c.env.BUCKET, c.var.db, problem.problemId, [query.left, query.right]),
  ),
]
