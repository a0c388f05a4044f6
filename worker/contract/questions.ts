/**
 * Questions: a student and the staff of a course write to each other about a problem, or about a line of the student's submission.
 * A request for another due time is a question about a homework, a regrade question one about a mark. Only that student and the course's staff can read a question.
 */
import * as z from 'zod'
import {
  epochSeconds,
  hexId,
  intBetween,
  listOf,
  problemId,
  problemIdText,
  requiredText,
  userInfo,
} from '#contract/fields'
import { labelIdText } from '#contract/labels'
import { COUNT_LIMITS, SOURCE_LIMIT_BYTES, TEXT_LIMITS } from '#contract/limits'
import { problemFile } from '#contract/problems/problem-files'

/**
 * `open`: the student wrote last and waits for staff. `answered`: staff wrote last. `resolved`: the student or staff marked it
 * as settled. Every message makes the question open or answered again.
 */
export const questionState = z.enum(['open', 'answered', 'resolved'])
export type QuestionState = z.infer<typeof questionState>

/**
 * A request for another due time. `due`: what the student asks for. `outcome` null: staff have not decided; `grantedDue` is what they gave.
 * `teacherOnly`: no teaching assistant can read it. `file`: what the student sent along; `size` in bytes.
 */
const dateRequest = z.object({
  homeworkId: hexId,
  homeworkName: z.string(),
  due: epochSeconds,
  outcome: z.enum(['granted', 'declined']).nullable(),
  grantedDue: epochSeconds.nullable(),
  teacherOnly: z.boolean(),
  file: problemFile.omit({ fileId: true }).nullable(),
})
export type DateRequest = z.infer<typeof dateRequest>

/** The mark that a question is about. `outcome` null: staff have not decided. */
const questionedMark = z.object({
  columnId: z.int(),
  columnName: z.string(),
  outcome: z.enum(['changed', 'kept']).nullable(),
})
export type QuestionedMark = z.infer<typeof questionedMark>

/**
 * A question. `problemId` and `problemName` are null in a request and in a question about a mark. `submissionId` and `line` (from 1) are null for a question about the problem as a whole. `student`: the student it concerns,
 * even if staff began it. `waiting`: it waits for the caller, see `waitingQuestions`. `updateTime`: the time of its newest message.
 */
const question = z.object({
  questionId: hexId,
  course: z.string(),
  problemId: problemId.nullable(),
  problemName: z.string().nullable(),
  request: dateRequest.nullable(),
  mark: questionedMark.nullable(),
  submissionId: hexId.nullable(),
  line: z.int().nullable(),
  student: userInfo,
  state: questionState,
  waiting: z.boolean(),
  createTime: epochSeconds,
  updateTime: epochSeconds,
})
export type Question = z.infer<typeof question>

/** A question in lists. `excerpt`: the beginning of its first message (`TEXT_LIMITS.questionExcerpt`). */
const questionItem = question.extend({ excerpt: z.string() })
export type QuestionItem = z.infer<typeof questionItem>

/** One text of a question. */
const questionMessage = z.object({
  messageId: hexId,
  author: userInfo,
  markdown: z.string(),
  createTime: epochSeconds,
})
export type QuestionMessage = z.infer<typeof questionMessage>

/** A question with its messages, oldest first. `etag`: for the If-Match of PATCH /question/{id}. */
export const questionThread = question.extend({
  messages: z.array(questionMessage),
  etag: z.string(),
})
export type QuestionThread = z.infer<typeof questionThread>

const markdown = requiredText(TEXT_LIMITS.questionMarkdown)

/** POST /problem/{id}/questions, POST /question/{id}/messages. Markdown. */
export const newMessage = z.object({ markdown })

/** POST /homework/{id}/requests: asks for another due time, later than one's own. */
export const newRequest = z.object({
  due: epochSeconds,
  markdown,
  teacherOnly: z.boolean().default(false),
})
export type NewRequest = z.infer<typeof newRequest>

/** POST /question/{id}/decision: gives the student of a request a due time, the requested one or another; null declines. */
export const requestDecision = z.object({ due: epochSeconds.nullable() })

/** POST /submission/{id}/questions. `line` from 1 to the number of lines of the code. */
export const newLineQuestion = z.object({ markdown, line: intBetween(1, SOURCE_LIMIT_BYTES + 1) })

/** Answer of the calls that begin a question. */
export const questionCreated = z.object({ questionId: hexId })

/** PATCH /question/{id}. The next message makes the question open or answered again. */
export const questionEdit = z.object({ state: z.literal('resolved') })

/** PUT /question/{id}/read. `messageId`: the newest message that the student has seen. Only this and resolving record what was read. */
export const questionRead = z.object({ messageId: hexId })

/**
 * Query of GET /course/{name}/questions. Staff read everybody's questions in one state (`open` unless given). Open questions
 * come oldest first, together with all others that wait for the caller; resolved or answered ones come newest first. Students
 * read their own in all states, or in the given one, newest first.
 */
export const questionListParams = z.object({
  state: questionState.optional(),
  problemId: problemIdText.optional(),
  /** Only of the students with a label; for staff. */
  label: labelIdText.optional(),
  cursor: z.string().max(256).optional(),
  limit: z.coerce.number<string>().pipe(intBetween(1, COUNT_LIMITS.listItems)).optional(),
})
export type QuestionListParams = z.infer<typeof questionListParams>

/** Answer of GET /course/{name}/questions. */
export const questionPage = z.object({ items: z.array(questionItem), next: z.string().nullable() })

/**
 * The number on the badge of a course, counted up to `COUNT_LIMITS.waitingQuestions`: the caller's own questions with an unread
 * message of staff, and for staff the open ones of the course. In lists of courses an admin is staff only where their role in the
 * course says so, and a deleted course has 0.
 */
export const waitingQuestions = z.int()

/** GET and PUT /saved-replies: the caller's texts for answers, in order. The PUT replaces all texts. */
export const savedReplies = z.object({
  replies: listOf(requiredText(TEXT_LIMITS.savedReply), COUNT_LIMITS.savedReplies),
})
export type SavedReplies = z.infer<typeof savedReplies>
