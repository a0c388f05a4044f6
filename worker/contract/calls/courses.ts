/** The calls about courses and what they hold. */
import * as z from 'zod'
import * as announcements from '#contract/announcements'
import type { Rows } from '#contract/calls/call'
import * as courses from '#contract/courses'
import { hexId, userInfo } from '#contract/fields'
import * as calendar from '#contract/calendar'
import * as overrides from '#contract/homework-overrides'
import * as homeworks from '#contract/homeworks'
import { operationStarted } from '#contract/operations'
import { BODY_LIMITS } from '#contract/limits'
import { bulkRejudge } from '#contract/judging/rejudges'
import { overview } from '#contract/overview'
import * as search from '#contract/search'
import * as stats from '#contract/problems/stats'

const courseNamed = z.object({ course: z.string() })

/** The rows of these calls in the table of calls. */
export const COURSE_CALLS = {
  'GET /course': {
    who: 'session',
    summary: 'One’s own courses; for admins all courses.',
    query: courses.courseListParams,
    data: z.array(courses.courseItem),
  },
  'POST /course': {
    who: 'session',
    right: 'course.create',
    summary: 'Creates a course; for admins and teachers.',
    body: courses.newCourse,
    data: courseNamed,
    errors: [
      'forbidden',
      'password_required',
      'course_exists',
      'user_not_found',
      'teacher_is_student',
      'email_unconfirmed',
    ],
  },
  'PUT /course': {
    who: 'teacher',
    about: 'course',
    right: 'course.manage',
    summary: 'Renames a course, gives it another teacher or another time zone.',
    body: courses.courseEdit,
    data: courseNamed,
    errors: [
      'password_required',
      'course_exists',
      'user_not_found',
      'teacher_is_student',
      'email_unconfirmed',
      'stale_edit',
    ],
  },
  'DELETE /course': {
    who: 'teacher',
    about: 'course',
    right: 'course.manage',
    summary: 'Deletes a course; it can be restored for 30 days.',
    body: courses.courseRef,
    errors: ['stale_edit'],
  },
  'GET /course/summary': {
    who: 'admin',
    right: 'course.readAll',
    summary: 'Counts of all courses.',
    data: stats.courseSummary,
  },
  'GET /course/:name': {
    who: 'member',
    about: 'course',
    right: 'course.read',
    summary: 'A course and its people.',
    data: courses.courseDetail,
  },
  'PUT /course/:name': {
    who: 'teacher',
    about: 'course',
    right: 'members.manage',
    summary: 'Replaces the lists of teaching assistants and students.',
    body: courses.courseMembers,
    errors: ['password_required', 'user_not_found', 'email_unconfirmed', 'stale_edit'],
  },
  'POST /course/:name/restore': {
    who: 'teacher',
    about: 'course',
    right: 'course.manage',
    summary: 'Restores a deleted course.',
    data: courseNamed,
  },
  'GET /course/:name/people': {
    who: 'teacher',
    about: 'course',
    right: 'members.manage',
    summary:
      'Finds people to add by a part of their names: among the members of one’s other courses; for admins among all people.',
    query: courses.peopleParams,
    data: z.array(userInfo),
  },
  'PATCH /course/:name/members': {
    who: 'teacher',
    about: 'course',
    right: 'members.manage',
    summary: 'Adds and removes people.',
    body: courses.memberChanges,
    errors: ['password_required', 'user_not_found', 'email_unconfirmed', 'stale_edit'],
  },
  'GET /course/:name/scoreboard': {
    who: 'staff',
    about: 'course',
    right: 'submission.readAll',
    rate: 'scoreboard',
    summary: 'What each student has reached on each problem.',
    query: stats.scoreboardParams,
    data: z.array(stats.scoreboardRow),
  },
  'GET /course/:name/ann': {
    who: 'member',
    about: 'course',
    right: 'course.read',
    summary:
      'Announcements of a course, pinned first, then newest; long texts are cut. The next page is asked for with `after`.',
    query: announcements.announcementListParams,
    data: z.array(announcements.announcementItem),
  },
  'GET /ann': {
    who: 'anyone',
    summary: 'System announcements, ordered and cut like a course’s.',
    query: announcements.announcementListParams,
    data: z.array(announcements.announcementItem),
  },
  'GET /ann/:annId': {
    who: 'anyone',
    summary: 'A system announcement.',
    params: z.object({ annId: hexId }),
    data: announcements.announcement,
    errors: ['announcement_not_found'],
  },
  'GET /ann/:name/:annId': {
    who: 'member',
    about: 'course',
    right: 'course.read',
    summary: 'An announcement of a course.',
    params: z.object({ name: z.string(), annId: hexId }),
    data: announcements.announcement,
    errors: ['announcement_not_found'],
  },
  'POST /ann': {
    who: 'staff',
    about: 'course',
    right: 'announcement.write',
    summary: 'Creates an announcement.',
    body: announcements.newAnnouncement,
    bodyBytes: BODY_LIMITS.announcementBytes,
    data: announcements.announcementCreated,
    errors: ['too_many_announcements'],
  },
  'PUT /ann': {
    who: 'staff',
    about: 'course',
    right: 'announcement.write',
    summary: 'Changes an announcement.',
    body: announcements.announcementEdit,
    bodyBytes: BODY_LIMITS.announcementBytes,
    errors: ['announcement_not_found', 'stale_edit'],
  },
  'DELETE /ann': {
    who: 'staff',
    about: 'course',
    right: 'announcement.write',
    summary: 'Deletes an announcement.',
    body: announcements.announcementRef,
    errors: ['announcement_not_found', 'stale_edit'],
  },
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
  'GET /search': {
    who: 'session',
    summary:
      'Finds problems, homeworks and people of all one’s courses by words of their names; newest first.',
    query: search.searchParams,
    data: search.found,
  },
  'GET /overview': {
    who: 'session',
    rate: 'heavyRead',
    summary:
      'What waits in the courses where one is staff: open questions, Judge Errors, running homeworks with their turnout, the newest submissions.',
    data: overview,
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
      'Gives students, or all of them, dates and rules of their own in a homework. No mark falls by it before staff confirm.',
    body: overrides.overrideChanges,
    bodyBytes: BODY_LIMITS.overrideBytes,
    data: overrides.overridesChanged,
    errors: ['homework_not_found', 'user_not_found', 'bad_dates'],
  },
  'DELETE /homework/:id/overrides': {
    who: 'staff',
    about: 'homework',
    right: 'homework.write',
    summary: 'Takes back dates and rules of students, or those for all.',
    body: overrides.overrideRemoval,
    data: overrides.overridesChanged,
    errors: ['homework_not_found', 'user_not_found', 'bad_dates'],
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
  'GET /calendar': {
    who: 'anyone',
    summary: 'One’s due times as a calendar (RFC 5545), by the token of a secret link.',
    query: calendar.calendarParams,
    file: 'text/calendar',
    errors: ['bad_link'],
  },
  'GET /calendar-link': {
    who: 'owner',
    scope: null,
    summary: 'When one’s own calendar link was made.',
    data: calendar.calendarLink,
  },
  'POST /calendar-link': {
    who: 'owner',
    scope: null,
    summary: 'Makes one’s own calendar link; the earlier one ends.',
    data: calendar.newCalendarLink,
  },
  'DELETE /calendar-link': {
    who: 'owner',
    scope: null,
    summary: 'Ends one’s own calendar link.',
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
