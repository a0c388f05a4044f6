/** The calls about questions. */
import type { Rows } from '#contract/calls/call'
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
  },
  'POST /problem/:id/questions': {
    who: 'member',
    about: 'problem',
    right: 'course.read',
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
    errors: ['question_not_found', 'too_many_messages', 'idempotency_mismatch'],
  },
  'PATCH /question/:id': {
    who: 'submitter',
    about: 'question',
    summary: 'Resolves a question.',
    body: questions.questionEdit,
    errors: ['question_not_found', 'stale_edit'],
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
