/** Questions of a course, a problem, a submission; one question; the caller's saved replies. */
import { hexId } from '#contract/fields'
import { COUNT_LIMITS } from '#contract/limits'
import { changeOf } from '../../http/change.ts'
import { courseInPath, demandCapability } from '../../http/course-guard.ts'
import { editedVersion, sendEditable } from '../../http/edit-tag.ts'
import { idempotencyKeyOf } from '../../http/idempotency-key.ts'
import { fromCursor, toPage } from '../../http/paging.ts'
import { route } from '../../http/route.ts'
import {
  aboutProblem,
  aboutSubmission,
  demandAsking,
  questionInPath,
  wholeQuestion,
} from './guard.ts'
import { listQuestions, listSubmissionQuestions } from './queries.ts'
import { tellOtherSide } from './tell.ts'
import { getSavedReplies, replaceSavedReplies } from './saved-reply-queries.ts'
import {
  countPackedLines,
  insertMessage,
  insertQuestion,
  markRead,
  resolveQuestion,
} from './write-queries.ts'

export const questions = [
  route('GET /course/:name/questions', courseInPath, async (c, { course, query }) => {
    const { cursor, ...params } = query
    const { db, user } = c.var
    if (params.label !== undefined) demandCapability(course.standing, 'question.answer')
    const rows = await listQuestions(db, user, course, params, fromCursor(cursor, hexId))
    const size = params.limit ?? COUNT_LIMITS.listItemsDefault
    const page = toPage(rows, size, ({ questionId }) => questionId)
    return { items: page.rows, next: page.next }
  }),
  route('POST /problem/:id/questions', aboutProblem, async (c, { problem, body }) => {
    const text = { markdown: body.markdown, key: await idempotencyKeyOf(c) }
    const questionId = await insertQuestion(c.var.db, problem, text, changeOf(c))
    tellOtherSide(c, problem, questionId)
    return { questionId }
  }),
  route('GET /submission/:id/questions', aboutSubmission, (c, { submission }) =>
    listSubmissionQuestions(c.var.db, c.var.user, submission.about),
  ),
  route('POST /submission/:id/questions', aboutSubmission, async (c, { submission, body }) => {
    const { about, isPacked } = submission
    demandAsking(about.standing)
    const text = { markdown: body.markdown, key: await idempotencyKeyOf(c) }
    const { db } = c.var
    const packedLines = isPacked
      ? await countPackedLines(c.env.BUCKET, db, about.submissionId)
      : null
    const question = { ...about, line: body.line }
    const questionId = await insertQuestion(db, question, text, changeOf(c), packedLines)
    tellOtherSide(c, about, questionId)
    return { questionId }
  }),
  route('GET /question/:id', wholeQuestion, (c, { question }) =>
    sendEditable(c, question.version, question.thread),
  ),
  route('POST /question/:id/messages', questionInPath, async (c, { question, body }) => {
    demandAsking(question.standing)
    const text = { ...body, key: await idempotencyKeyOf(c) }
    await insertMessage(c.var.db, question, text, changeOf(c))
    tellOtherSide(c, question, question.questionId)
  }),
  route('PATCH /question/:id', questionInPath, (c, { question }) => {
    demandAsking(question.standing)
    return resolveQuestion(c.var.db, question, editedVersion(c), changeOf(c))
  }),
  route('PUT /question/:id/read', questionInPath, (c, { question, body }) =>
    markRead(c.var.db, question, body.messageId, changeOf(c)),
  ),
  route('GET /saved-replies', async (c) => {
    const { replies, version } = await getSavedReplies(c.var.db, c.var.user.id)
    return sendEditable(c, version, { replies })
  }),
  route('PUT /saved-replies', (c, { body }) =>
    replaceSavedReplies(c.var.db, c.var.user.id, body.replies, editedVersion(c)),
  ),
]
