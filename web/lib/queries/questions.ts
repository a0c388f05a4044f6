/** Queries for questions. */
import {
  questionPage,
  questionThread,
  savedReplies,
  type Question,
  type QuestionState,
} from '#contract/questions'
import { paths } from '../../paths.ts'
import { apiQuery, pagedQuery } from '../api/api-query.ts'
import { refresh } from '../api/query-client.ts'

/** GET /course/{name}/questions, page by page. */
export function questionsQuery(
  course: string,
  filter: { state?: string; problemId?: string; label?: string },
) {
  return pagedQuery(['questions', 'list', course, filter], 'GET /course/:name/questions', {
    params: { name: course },
    // The state may be any text of the browser's address: the API checks it.
    query: { ...filter, state: filter.state as QuestionState | undefined },
    as: questionPage,
  })
}

/** GET /submission/{id}/questions. */
export function submissionQuestionsQuery(submissionId: string) {
  return apiQuery(['questions', 'submission', submissionId], 'GET /submission/:id/questions', {
    params: { id: submissionId },
    as: questionThread.array(),
  })
}

/** GET /question/{id}. */
export function questionQuery(questionId: string) {
  return apiQuery(['questions', 'one', questionId], 'GET /question/:id', {
    params: { id: questionId },
    as: questionThread,
  })
}

/** GET /saved-replies. */
export const savedRepliesQuery = apiQuery(
  ['saved-replies'],
  'GET /saved-replies',
  { as: savedReplies },
  { staleTime: 60_000 },
)

/** Reads questions again, and the numbers of waiting ones. */
export function refreshQuestions(): Promise<void> {
  return refresh(['questions'], ['course'], ['courses'])
}

/** The element id of a thread on a page. */
export function threadId(questionId: string): string {
  return `question-${questionId}`
}

/** The address at which a question is read and answered: its line of code, or a page of its own. */
export function questionPath({ course, questionId, submissionId }: Question): string {
  return submissionId === null
    ? paths.question(course, questionId)
    : `${paths.submission(course, submissionId)}#${threadId(questionId)}`
}
