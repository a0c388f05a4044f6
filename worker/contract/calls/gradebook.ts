/** The calls about gradebooks and marks. */
import type { Rows } from '#contract/calls/call'
import * as gradebook from '#contract/gradebook'
import { idInPath } from '#contract/fields'
import { BODY_LIMITS } from '#contract/limits'
import { operationStarted } from '#contract/operations'
import * as questions from '#contract/questions'

/** The rows of these calls in the table of calls. */
export const GRADEBOOK_CALLS = {
  'GET /course/:name/gradebook': {
    who: 'staff',
    about: 'course',
    right: 'gradebook.read',
    rate: 'heavyRead',
    summary: 'The students of a course with their marks, a page of people at a time.',
    query: gradebook.gradebookParams,
    data: gradebook.gradebookPage,
    errors: ['column_not_found', 'label_not_found'],
  },
  'PATCH /course/:name/gradebook': {
    who: 'staff',
    about: 'course',
    right: 'gradebook.write',
    summary:
      'Sets marks by hand, excuses students from columns, or takes this back; all or nothing.',
    body: gradebook.markEdits,
    bodyBytes: BODY_LIMITS.overrideBytes,
    data: gradebook.marksEdited,
    errors: ['column_not_found', 'user_not_found'],
  },
  'GET /course/:name/gradebook/columns': {
    who: 'staff',
    about: 'course',
    right: 'gradebook.read',
    summary: 'The columns and groups of a gradebook, and how its total is made.',
    data: gradebook.gradebookColumns,
  },
  'PUT /course/:name/gradebook/columns': {
    who: 'teacher',
    about: 'course',
    right: 'gradebook.manage',
    summary: 'Changes columns, groups, and how the total is made.',
    body: gradebook.gradebookForm,
    errors: ['column_not_found', 'stale_edit'],
  },
  'GET /course/:name/gradebook/file': {
    who: 'staff',
    about: 'course',
    right: 'gradebook.read',
    rate: 'scoreboard',
    summary: 'The gradebook as a CSV file whose columns keep their names and order.',
    query: gradebook.gradebookFileParams,
    file: 'text/csv',
    errors: ['label_not_found'],
  },
  'POST /course/:name/gradebook/rebuild': {
    who: 'staff',
    about: 'course',
    right: 'gradebook.write',
    summary: 'Computes all marks of a course anew, step by step.',
    data: operationStarted,
    status: 202,
  },
  'GET /course/:name/gradebook/:columnId/:username': {
    who: 'staff',
    about: 'course',
    right: 'gradebook.read',
    summary: 'A mark with its derivation and its history.',
    params: gradebook.cellInPath,
    data: gradebook.gradebookMark,
    errors: ['column_not_found', 'user_not_found'],
  },
  'PUT /course/:name/gradebook/:columnId/shown': {
    who: 'staff',
    about: 'course',
    right: 'gradebook.write',
    summary: 'Says whether students see the marks of a column; of the total only the teacher does.',
    params: gradebook.columnInPath,
    body: gradebook.shownForm,
    errors: ['column_not_found'],
  },
  'PUT /course/:name/gradebook/:columnId/held': {
    who: 'staff',
    about: 'course',
    right: 'gradebook.write',
    summary: 'Holds the marks of single students back, or lets them go.',
    params: gradebook.columnInPath,
    body: gradebook.heldForm,
    errors: ['column_not_found', 'user_not_found'],
  },
  'POST /course/:name/gradebook/:columnId/questions': {
    who: 'member',
    about: 'course',
    right: 'question.ask',
    summary:
      'A student asks staff to look at a mark again. The same `Idempotency-Key` again answers the same question.',
    params: gradebook.columnInPath,
    body: gradebook.newRegrade,
    data: questions.questionCreated,
    errors: ['column_not_found', 'forbidden', 'too_many_messages', 'idempotency_mismatch'],
  },
  'POST /question/:id/regrade': {
    who: 'staff',
    about: 'question',
    right: 'question.answer',
    summary: 'Decides on a question about a mark: the mark changes, or it stays.',
    params: idInPath,
    body: gradebook.regradeDecision,
    errors: ['question_not_found', 'not_a_mark', 'user_not_found'],
  },
  'GET /course/:name/marks': {
    who: 'member',
    about: 'course',
    right: 'course.read',
    rate: 'heavyRead',
    summary: 'One’s own marks, as far as they are shown, with their derivations.',
    data: gradebook.ownMarks,
  },
  'GET /course/:name/marks/:username': {
    who: 'staff',
    about: 'course',
    right: 'gradebook.read',
    rate: 'heavyRead',
    summary: 'The marks exactly as a student sees them; the look is in the audit log.',
    data: gradebook.ownMarks,
    errors: ['user_not_found'],
  },
  'GET /homework/:id/statistics': {
    who: 'staff',
    about: 'homework',
    right: 'gradebook.read',
    rate: 'heavyRead',
    summary: 'The distribution of marks in a homework, tries, times, and who has not begun.',
    query: gradebook.statisticsParams,
    data: gradebook.homeworkStatistics,
    errors: ['homework_not_found', 'label_not_found'],
  },
} satisfies Rows
