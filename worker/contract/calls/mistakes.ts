/** The calls about mistakes and hints. */
import type { Rows } from '#contract/calls/call'
import * as mistakes from '#contract/mistakes'

/** The rows of these calls in the table of calls. */
export const MISTAKE_CALLS = {
  'GET /problem/:id/mistakes': {
    who: 'staff',
    about: 'problem',
    right: 'submission.readAll',
    rate: 'heavyRead',
    summary:
      'Groups of people with the same mistake in their last failing try, and the hints of the problem.',
    query: mistakes.mistakeListParams,
    data: mistakes.mistakePage,
  },
  'GET /problem/:id/mistakes/:mistake': {
    who: 'staff',
    about: 'problem',
    right: 'submission.readAll',
    rate: 'heavyRead',
    summary: 'The people of a group.',
    params: mistakes.mistakePath,
    data: mistakes.mistakePeople,
  },
  'PUT /problem/:id/mistakes/merged': {
    who: 'staff',
    about: 'problem',
    right: 'question.answer',
    summary: 'Counts mistakes as one, or as different ones again.',
    body: mistakes.mistakesMerged,
    errors: ['too_many_merged'],
  },
  'POST /problem/:id/mistakes/:mistake/questions': {
    who: 'staff',
    about: 'problem',
    right: 'question.answer',
    summary:
      'Comments on the last failing try of each person in a group who has not solved the problem, in a question each.',
    params: mistakes.mistakePath,
    body: mistakes.mistakeComment,
    data: mistakes.mistakeCommented,
    errors: ['mistake_not_found', 'idempotency_mismatch'],
  },
  'POST /problem/:id/hints': {
    who: 'staff',
    about: 'problem',
    right: 'question.answer',
    summary:
      'Writes a hint; everybody who made the mistake sees it at once, and everybody who makes it later.',
    body: mistakes.newHint,
    data: mistakes.hintCreated,
    errors: ['too_many_hints', 'hint_names_secret'],
  },
  'PUT /problem/:id/hints/:hintId': {
    who: 'staff',
    about: 'problem',
    right: 'question.answer',
    summary: 'Writes a hint anew. A hint that was set aside shows again.',
    params: mistakes.hintPath,
    body: mistakes.hintEdit,
    errors: ['hint_not_found', 'hint_names_secret'],
  },
  'DELETE /problem/:id/hints/:hintId': {
    who: 'staff',
    about: 'problem',
    right: 'question.answer',
    summary: 'Deletes a hint; nobody sees it any more.',
    params: mistakes.hintPath,
    errors: ['hint_not_found'],
  },
  'PUT /submission/:id/hints/:hintId': {
    who: 'submitter',
    about: 'submission',
    summary: 'The submitter says whether a hint under the verdict helped.',
    params: mistakes.hintPath,
    body: mistakes.hintAnswer,
    errors: ['submission_not_found', 'hint_not_found', 'forbidden', 'course_closed'],
  },
} satisfies Rows
