/** The calls about questions. */
import type { Rows } from '#contract/calls/call'
import { overridesChanged } from '#contract/homework-overrides'
import { REQUEST_LIMITS } from '#contract/limits'
import * as questions from '#contract/questions'

/** The rows of these calls in the table of calls. */
export const QUESTION_CALLS = {
  'GET /course/:name/questions': {
    who: 'member',
    about: 'course',
    right: 'course.read',
    summary:
      'Questions of a course: staff get those in one state (by default the open ones), students get their own.',
    query: questions.questionListParams,
    data: questions.questionPage,
    errors: ['forbidden'],
  },
  'POST /problem/:id/questions': {
    who: 'member',
    about: 'problem',
    right: 'question.ask',
    summary: 'Asks about a problem. The same `Idempotency-Key` again answers the same question.',
    body: questions.newMessage,
    data: questions.questionCreated,
    errors: ['too_many_messages', 'idempotency_mismatch'],
  },
  'GET /submission/:id/questions': {
    who: 'submitter',
    about: 'submission',
    summary: 'The questions about lines of a submission with their messages, oldest first.',
    data: questions.questionThread.array(),
    errors: ['submission_not_found'],
  },
  'POST /submission/:id/questions': {
    who: 'submitter',
    about: 'submission',
    summary:
      'The submitter asks about a line of the submission, or staff comment on it. The same `Idempotency-Key` again answers the same question.',
    body: questions.newLineQuestion,
    data: questions.questionCreated,
    errors: [
      'submission_not_found',
      'course_closed',
      'object_lost',
      'submitter_erased',
      'too_many_messages',
      'idempotency_mismatch',
    ],
  },
  'GET /question/:id': {
    who: 'submitter',
    about: 'question',
    summary: 'A question with its messages; for its student and for staff.',
    data: questions.questionThread,
    errors: ['question_not_found'],
  },
  'POST /question/:id/messages': {
    who: 'submitter',
    about: 'question',
    summary:
      'Adds a message to a question; a message of the student opens it again. The same `Idempotency-Key` again adds nothing.',
    body: questions.newMessage,
    errors: ['question_not_found', 'course_closed', 'too_many_messages', 'idempotency_mismatch'],
  },
  'POST /question/:id/decision': {
    who: 'staff',
    about: 'question',
    right: 'question.answer',
    summary: 'Grants a request for another due time, or declines it.',
    body: questions.requestDecision,
    data: overridesChanged,
    errors: ['question_not_found', 'not_a_request', 'user_not_found', 'bad_dates'],
  },
  'POST /question/:id/file': {
    who: 'submitter',
    about: 'question',
    summary:
      'The student of an undecided request adds the file with the reason, in place of an earlier one.',
    form: { file: 'PNG, JPEG, GIF, WebP or PDF' },
    fileBytes: REQUEST_LIMITS.fileBytes,
    errors: ['question_not_found', 'not_a_request', 'forbidden', 'course_closed', 'bad_file'],
  },
  'GET /question/:id/file': {
    who: 'submitter',
    about: 'question',
    summary: 'The file of a request; for its student and for staff.',
    file: '*/*',
    errors: ['question_not_found', 'file_not_found', 'object_lost'],
  },
  'PATCH /question/:id': {
    who: 'submitter',
    about: 'question',
    summary: 'Resolves a question.',
    body: questions.questionEdit,
    errors: ['question_not_found', 'course_closed', 'stale_edit'],
  },
  'PUT /question/:id/read': {
    who: 'submitter',
    about: 'question',
    summary:
      'Notes up to which message the student has read their question; calls of other people change nothing.',
    body: questions.questionRead,
    errors: ['question_not_found'],
  },
  'GET /saved-replies': {
    who: 'owner',
    summary: 'One’s own texts for answers.',
    data: questions.savedReplies,
  },
  'PUT /saved-replies': {
    who: 'owner',
    summary: 'Replaces one’s own texts for answers.',
    body: questions.savedReplies,
    errors: ['stale_edit'],
  },
} satisfies Rows
