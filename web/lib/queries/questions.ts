/** Questions: what is read of them, and the calls that change them. */
import {
  questionCreated,
  questionPage,
  questionThread,
  savedReplies,
  type Question,
  type QuestionThread,
} from '#contract/questions'
import { paths } from '../../paths.ts'
import { apiQuery, pagedQuery } from '../api/api-query.ts'
import { anything, apiPath, callApi } from '../api/api.ts'
import { refresh } from '../api/query-client.ts'

/** What a new question is about: a problem, or a line (from 1) of a submission. */
export type QuestionAbout =
  { problemId: number; submissionId?: never } | { submissionId: string; line: number }

/** GET /course/{name}/questions, page by page. */
export function questionsQuery(course: string, filter: { state?: string; problemId?: string }) {
  const key = ['questions', 'list', course, filter]
  return pagedQuery(key, apiPath`/course/${course}/questions`, filter, questionPage)
}

/** GET /submission/{id}/questions. */
export function submissionQuestionsQuery(submissionId: string) {
  return apiQuery(
    ['questions', 'submission', submissionId],
    apiPath`/submission/${submissionId}/questions`,
    questionThread.array(),
  )
}

/** GET /question/{id}. */
export function questionQuery(questionId: string) {
  return apiQuery(
    ['questions', 'one', questionId],
    apiPath`/question/${questionId}`,
    questionThread,
  )
}

/** Path of GET and PUT /saved-replies. */
export const SAVED_REPLIES = '/saved-replies'

/** GET /saved-replies. */
export const savedRepliesQuery = apiQuery(['saved-replies'], SAVED_REPLIES, savedReplies, {
  staleTime: 60_000,
})

/** Has questions be read again, and the badges. */
export function refreshQuestions(): Promise<void> {
  return refresh(['questions'], ['course'], ['courses'])
}

/** Begins a question. @param key of this text: the same one again asks nothing new */
export function ask(about: QuestionAbout, markdown: string, key: string) {
  const headers = { 'Idempotency-Key': key }
  return about.submissionId === undefined
    ? callApi(apiPath`/problem/${about.problemId}/questions`, questionCreated, {
        method: 'POST',
        body: { markdown },
        headers,
      })
    : callApi(apiPath`/submission/${about.submissionId}/questions`, questionCreated, {
        method: 'POST',
        body: { markdown, line: about.line },
        headers,
      })
}

/** POST /question/{id}/messages. @param key as for `ask` */
export function reply(questionId: string, markdown: string, key: string) {
  return callApi(apiPath`/question/${questionId}/messages`, anything, {
    method: 'POST',
    body: { markdown },
    headers: { 'Idempotency-Key': key },
  })
}

/** PATCH /question/{id}: refused if a message came since the thread was read. */
export function resolve({ questionId, etag }: QuestionThread) {
  return callApi(apiPath`/question/${questionId}`, anything, {
    method: 'PATCH',
    body: { state: 'resolved' },
    ifMatch: etag,
  })
}

/** PUT /question/{id}/read. */
export function markRead(questionId: string, messageId: string) {
  return callApi(apiPath`/question/${questionId}/read`, anything, {
    method: 'PUT',
    body: { messageId },
  })
}

/** PUT /saved-replies. @param etag of the read that was edited */
export function saveReplies(replies: string[], etag: string | null) {
  return callApi(SAVED_REPLIES, anything, { method: 'PUT', body: { replies }, ifMatch: etag })
}

/** The element id of a thread on a page. */
export function threadId(questionId: string): string {
  return `question-${questionId}`
}

/** Where a question is read and answered: at its line, or on a page of its own. */
export function questionPath({ course, questionId, submissionId }: Question): string {
  return submissionId === null
    ? paths.question(course, questionId)
    : `${paths.submission(course, submissionId)}#${threadId(questionId)}`
}
