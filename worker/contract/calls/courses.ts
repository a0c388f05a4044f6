/** The calls about courses and what they hold. */
import * as z from 'zod'
import * as announcements from '#contract/announcements'
import type { Rows } from '#contract/calls/call'
import * as courses from '#contract/courses'
import * as copies from '#contract/course-copy'
import { hexId, userInfo } from '#contract/fields'
import * as labels from '#contract/labels'
import * as lateDays from '#contract/late-days'
import * as calendar from '#contract/calendar'
import * as overrides from '#contract/homework-overrides'
import { BODY_LIMITS } from '#contract/limits'
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
    summary: 'Renames a course, gives it another teacher or another time zone, closes or opens it.',
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
  'POST /course/:name/copy': {
    who: 'teacher',
    about: 'course',
    right: 'course.manage',
    summary:
      'Makes a new course of the caller from this one, with moved dates and without people; for admins and teachers.',
    body: copies.courseCopy,
    data: copies.courseCopied,
    errors: [
      'forbidden',
      'course_exists',
      'teacher_is_student',
      'email_unconfirmed',
      'homework_not_found',
      'label_not_found',
      'stale_edit',
    ],
  },
  'GET /course/:name/archive': {
    who: 'staff',
    about: 'course',
    right: 'submission.readAll',
    rate: 'scoreboard',
    summary: 'The whole course as a zip: statements, test data, programs and marks.',
    file: 'application/zip',
  },
  'PUT /course/:name/labels': {
    who: 'staff',
    about: 'course',
    right: 'homework.write',
    summary: 'Replaces the labels of a course. No mark falls by it before staff confirm.',
    body: labels.labelList,
    data: labels.labelsChanged,
    errors: ['label_not_found', 'label_exists', 'stale_edit'],
  },
  'PATCH /course/:name/labels/members': {
    who: 'staff',
    about: 'course',
    right: 'homework.write',
    summary: 'Gives students their labels. No mark falls by it before staff confirm.',
    body: labels.memberLabels,
    bodyBytes: BODY_LIMITS.overrideBytes,
    data: overrides.overridesChanged,
    errors: ['user_not_found', 'label_not_found', 'stale_edit'],
  },
  'GET /course/:name/late-days': {
    who: 'member',
    about: 'course',
    right: 'course.read',
    rate: 'heavyRead',
    summary:
      'The late days of a course, and how they are used: for staff by everybody, for students by themselves.',
    data: lateDays.lateDayTable,
  },
  'PUT /course/:name/late-days': {
    who: 'staff',
    about: 'course',
    right: 'homework.write',
    summary: 'Replaces the late days of a course.',
    body: lateDays.lateDayBudgets,
    errors: ['homework_not_found', 'budget_exists', 'stale_edit'],
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
} satisfies Rows
