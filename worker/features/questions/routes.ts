/** Questions of a course, a problem, a submission; one question; one's saved replies. */
import { Hono, type Context } from 'hono'
import { hexId } from '#contract/fields'
import { COUNT_LIMITS } from '#contract/limits'
import {
  newLineQuestion,
  newMessage,
  questionEdit,
  questionListParams,
  questionRead,
  savedReplies,
} from '#contract/questions'
import { changeOf } from '../../http/change.ts'
import { inCourse, namedInPath, type CourseEnv } from '../../http/course-guard.ts'
import { editedVersion, sendEditable } from '../../http/edit-tag.ts'
import { AppError } from '../../http/errors.ts'
import { idempotencyKeyOf } from '../../http/idempotency-key.ts'
import { tellCourse, tellPages } from '../../http/live.ts'
import { fromCursor, toPage } from '../../http/paging.ts'
import { ok } from '../../http/respond.ts'
import { requireUser, type UserEnv } from '../../http/session.ts'
import { jsonBody, query } from '../../http/validate.ts'
import {
  aboutProblem,
  aboutSubmission,
  onQuestion,
  type AboutEnv,
  type QuestionEnv,
} from './guard.ts'
import {
  getQuestion,
  listQuestions,
  listSubmissionQuestions,
  type QuestionAbout,
} from './queries.ts'
import { getSavedReplies, replaceSavedReplies } from './saved-reply-queries.ts'
import {
  countPackedLines,
  insertMessage,
  insertQuestion,
  markRead,
  resolveQuestion,
} from './write-queries.ts'

/** Tells the other side of a question that there is a new message. */
function tellOtherSide<E extends UserEnv>(
  c: Context<E>,
  { courseId, studentId }: Pick<QuestionAbout, 'courseId' | 'studentId'>,
  questionId: string,
): void {
  const isAnswer = studentId !== c.var.user.id
  const hint = { kind: 'question', questionId, isAnswer } as const
  if (isAnswer) tellPages(c, studentId, hint)
  else tellCourse(c, courseId, hint, 'question.answer')
}

const ofCourse = new Hono<CourseEnv>().get(
  '/course/:name/questions',
  requireUser,
  inCourse(namedInPath, 'course.read'),
  query(questionListParams),
  async (c) => {
    const { cursor, ...params } = c.req.valid('query')
    const { db, user, course } = c.var
    const rows = await listQuestions(db, user, course, params, fromCursor(cursor, hexId))
    const size = params.limit ?? COUNT_LIMITS.listItemsDefault
    const page = toPage(rows, size, ({ questionId }) => questionId)
    return ok(c, { items: page.rows, next: page.next })
  },
)

const about = new Hono<AboutEnv>()
  .post('/problem/:id/questions', requireUser, aboutProblem, jsonBody(newMessage), async (c) => {
    const { markdown } = c.req.valid('json')
    const text = { markdown, key: await idempotencyKeyOf(c) }
    const { db, about } = c.var
    const questionId = await insertQuestion(db, about, text, changeOf(c))
    tellOtherSide(c, about, questionId)
    return ok(c, { questionId })
  })
  .get('/submission/:id/questions', requireUser, aboutSubmission, async (c) => {
    const { db, user, about } = c.var
    return ok(c, await listSubmissionQuestions(db, user, about))
  })
  .post(
    '/submission/:id/questions',
    requireUser,
    aboutSubmission,
    jsonBody(newLineQuestion),
    async (c) => {
      const { line, markdown } = c.req.valid('json')
      const text = { markdown, key: await idempotencyKeyOf(c) }
      const { db, about, isPacked } = c.var
      const packedLines = isPacked
        ? await countPackedLines(c.env.BUCKET, db, about.submissionId ?? '')
        : null
      const question = { ...about, line }
      const questionId = await insertQuestion(db, question, text, changeOf(c), packedLines)
      tellOtherSide(c, about, questionId)
      return ok(c, { questionId })
    },
  )

const one = new Hono<QuestionEnv>()
  .get('/question/:id', requireUser, async (c) => {
    const id = hexId.safeParse(c.req.param('id'))
    const found = id.success && (await getQuestion(c.var.db, c.var.user, id.data))
    if (!found) throw new AppError('question_not_found')
    return sendEditable(c, found.version, found.thread)
  })
  .post('/question/:id/messages', requireUser, onQuestion, jsonBody(newMessage), async (c) => {
    const text = { ...c.req.valid('json'), key: await idempotencyKeyOf(c) }
    const { db, access } = c.var
    await insertMessage(db, access, text, changeOf(c))
    tellOtherSide(c, access, access.questionId)
    return ok(c, null)
  })
  .patch('/question/:id', requireUser, onQuestion, jsonBody(questionEdit), async (c) => {
    await resolveQuestion(c.var.db, c.var.access, editedVersion(c), changeOf(c))
    return ok(c, null)
  })
  .put('/question/:id/read', requireUser, onQuestion, jsonBody(questionRead), async (c) => {
    const { messageId } = c.req.valid('json')
    await markRead(c.var.db, c.var.access, messageId, changeOf(c))
    return ok(c, null)
  })

const replies = new Hono<UserEnv>()
  .get('/saved-replies', requireUser, async (c) => {
    const { replies, version } = await getSavedReplies(c.var.db, c.var.user.id)
    return sendEditable(c, version, { replies })
  })
  .put('/saved-replies', requireUser, jsonBody(savedReplies), async (c) => {
    const { replies } = c.req.valid('json')
    await replaceSavedReplies(c.var.db, c.var.user.id, replies, editedVersion(c))
    return ok(c, null)
  })

export const questions = new Hono()
  .route('/', ofCourse)
  .route('/', about)
  .route('/', one)
  .route('/', replies)
