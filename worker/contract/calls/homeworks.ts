/** The calls about homeworks, their dates and marks. */
import * as z from 'zod'
import type { Rows } from '#contract/calls/call'
import * as copies from '#contract/course-copy'
import * as overrides from '#contract/homework-overrides'
import * as homeworks from '#contract/homeworks'
import * as labels from '#contract/labels'
import * as lateDays from '#contract/late-days'
import { BODY_LIMITS } from '#contract/limits'
import { operationStarted } from '#contract/operations'
import * as questions from '#contract/questions'
import { bulkRejudge } from '#contract/judging/rejudges'

/** The rows of these calls in the table of calls. */
export const HOMEWORK_CALLS = {
  'GET /course/:name/homework': {
    who: 'member',
    about: 'course',
    right: 'course.read',
    rate: 'heavyRead',
    summary: 'Homeworks of a course.',
    query: homeworks.homeworkListParams,
    data: z.array(homeworks.homework),
  },
  'GET /homework': {
    who: 'session',
    summary:
      'The homeworks that run now in the courses one teaches or is a member of, the earliest due first by one’s own dates, with one’s own progress.',
    data: z.array(homeworks.runningHomework),
  },
  'POST /homework': {
    who: 'staff',
    about: 'course',
    right: 'homework.write',
    summary: 'Creates a homework.',
    body: homeworks.newHomework,
    data: homeworks.homeworkCreated,
    errors: ['homework_exists', 'problem_not_found'],
  },
  'GET /homework/:id': {
    who: 'member',
    about: 'homework',
    right: 'course.read',
    rate: 'heavyRead',
    summary: 'A homework.',
    data: homeworks.homework,
    errors: ['homework_not_found'],
  },
  'GET /homework/:id/scoreboard': {
    who: 'member',
    about: 'homework',
    right: 'course.read',
    rate: 'scoreboard',
    summary:
      'What students see of each other in a homework, by name or pseudonym; only if the homework’s scoreboard is open to them.',
    data: homeworks.homeworkBoard,
    errors: ['homework_not_found', 'scoreboard_hidden'],
  },
  'PUT /homework/:id': {
    who: 'staff',
    about: 'homework',
    right: 'homework.write',
    summary: 'Changes a homework.',
    body: homeworks.homeworkForm,
    errors: [
      'homework_not_found',
      'homework_exists',
      'problem_not_found',
      'bad_dates',
      'stale_edit',
    ],
  },
  'POST /homework/:id/copy': {
    who: 'staff',
    about: 'homework',
    right: 'homework.write',
    summary:
      'Copies a homework with its problems into another course where one is staff, or within its own.',
    body: copies.homeworkCopy,
    data: homeworks.homeworkCreated,
    errors: ['homework_not_found', 'homework_exists', 'course_not_found', 'forbidden'],
  },
  'GET /homework/:id/programs': {
    who: 'staff',
    about: 'homework',
    right: 'submission.readAll',
    rate: 'scoreboard',
    summary: 'The programs that count in a homework as a zip, in folders named by people.',
    query: labels.labelParams,
    file: 'application/zip',
    errors: ['homework_not_found'],
  },
  'PUT /homework/:id/late-days': {
    who: 'member',
    about: 'homework',
    right: 'submission.create',
    summary: 'Says how many late days one wants to use in a homework, before it closes.',
    body: lateDays.lateDayWish,
    data: lateDays.lateDays,
    errors: ['homework_not_found', 'no_late_days', 'forbidden', 'stale_edit'],
  },
  'POST /homework/:id/requests': {
    who: 'member',
    about: 'homework',
    right: 'question.ask',
    summary:
      'A student asks for another due time. The same `Idempotency-Key` again answers the same request.',
    body: questions.newRequest,
    data: questions.questionCreated,
    errors: ['homework_not_found', 'forbidden', 'too_many_messages', 'idempotency_mismatch'],
  },
  'GET /homework/:id/dates': {
    who: 'staff',
    about: 'homework',
    right: 'homework.write',
    rate: 'heavyRead',
    summary: 'Everybody’s dates in a homework.',
    data: overrides.homeworkDatesTable,
    errors: ['homework_not_found'],
  },
  'PUT /homework/:id/overrides': {
    who: 'staff',
    about: 'homework',
    right: 'homework.write',
    summary:
      'Gives students, people with a label, or all students dates and rules of their own in a homework. No mark falls by it before staff confirm.',
    body: overrides.overrideChanges,
    bodyBytes: BODY_LIMITS.overrideBytes,
    data: overrides.overridesChanged,
    errors: ['homework_not_found', 'user_not_found', 'label_not_found', 'bad_dates', 'stale_edit'],
  },
  'DELETE /homework/:id/overrides': {
    who: 'staff',
    about: 'homework',
    right: 'homework.write',
    summary: 'Takes back dates and rules of students or labels, or those for all.',
    body: overrides.overrideRemoval,
    data: overrides.overridesChanged,
    errors: ['homework_not_found', 'user_not_found', 'label_not_found', 'bad_dates', 'stale_edit'],
  },
  'GET /homework/:id/kept-marks': {
    who: 'staff',
    about: 'homework',
    right: 'homework.write',
    rate: 'heavyRead',
    summary: 'Marks that a change of dates would lower; they are kept until staff confirm.',
    data: overrides.keptMarks,
    errors: ['homework_not_found'],
  },
  'POST /homework/:id/kept-marks/confirm': {
    who: 'staff',
    about: 'homework',
    right: 'homework.write',
    summary: 'Confirms that the marks of these students fall.',
    body: overrides.keptMarksConfirmation,
    errors: ['homework_not_found'],
  },
  'PUT /homework/:id/points': {
    who: 'staff',
    about: 'homework',
    right: 'homework.write',
    summary: 'Gives a student points for a problem or for the homework, with a comment.',
    body: overrides.pointsForm,
    errors: ['homework_not_found', 'user_not_found', 'problem_not_found'],
  },
  'DELETE /homework/:id': {
    who: 'staff',
    about: 'homework',
    right: 'homework.write',
    summary: 'Deletes a homework.',
    errors: ['homework_not_found', 'stale_edit'],
  },
  'POST /homework/:id/rejudge': {
    who: 'staff',
    about: 'homework',
    right: 'submission.rejudge',
    summary:
      'Judges the submissions of a homework again, after all live submissions; the new results count once all are judged.',
    body: bulkRejudge,
    data: operationStarted,
    status: 202,
    errors: ['homework_not_found'],
  },
} satisfies Rows
