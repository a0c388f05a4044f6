/** The calls about courses and what they hold. */
import * as z from 'zod'
import * as announcements from '#contract/announcements'
import type { Call } from '#contract/calls/call'
import * as courses from '#contract/courses'
import { userInfo } from '#contract/fields'
import * as homeworks from '#contract/homeworks'
import { operationStarted } from '#contract/operations'
import { BODY_LIMITS } from '#contract/limits'
import { bulkRejudge } from '#contract/judging/runners'
import { overview } from '#contract/overview'
import * as search from '#contract/search'
import * as stats from '#contract/problems/stats'

const courseNamed = z.object({ course: z.string() })

/** In the order of the contract. */
export const COURSE_CALLS: readonly Call[] = [
  {
    route: 'GET /course',
    who: 'session',
    summary: 'One’s courses; an admin’s are all.',
    query: courses.courseListParams,
    data: z.array(courses.courseItem),
  },
  {
    route: 'POST /course',
    who: 'session',
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
  {
    route: 'PUT /course',
    who: 'teacher',
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
  {
    route: 'DELETE /course',
    who: 'teacher',
    summary: 'Deletes a course; it can be restored for 30 days.',
    body: courses.courseRef,
    errors: ['stale_edit'],
  },
  {
    route: 'GET /course/summary',
    who: 'admin',
    summary: 'Counts of all courses.',
    data: stats.courseSummary,
  },
  {
    route: 'GET /course/:name',
    who: 'member',
    summary: 'A course and its people.',
    data: courses.courseDetail,
  },
  {
    route: 'PUT /course/:name',
    who: 'teacher',
    summary: 'Replaces the lists of teaching assistants and students.',
    body: courses.courseMembers,
    errors: ['password_required', 'user_not_found', 'email_unconfirmed', 'stale_edit'],
  },
  {
    route: 'POST /course/:name/restore',
    who: 'teacher',
    summary: 'Restores a deleted course.',
    data: courseNamed,
  },
  {
    route: 'GET /course/:name/people',
    who: 'teacher',
    summary:
      'People to add, by a part of their names: members of one’s other courses, for admins everybody.',
    query: courses.peopleParams,
    data: z.array(userInfo),
  },
  {
    route: 'PATCH /course/:name/members',
    who: 'teacher',
    summary: 'Adds and removes people.',
    body: courses.memberChanges,
    errors: ['password_required', 'user_not_found', 'email_unconfirmed', 'stale_edit'],
  },
  {
    route: 'GET /course/:name/scoreboard',
    who: 'staff',
    isHeavy: true,
    summary: 'What each student has reached on each problem.',
    query: stats.scoreboardParams,
    data: z.array(stats.scoreboardRow),
  },
  {
    route: 'GET /course/:name/ann',
    who: 'member',
    summary:
      'Announcements of a course, pinned first, then newest; long texts are cut. The next page is asked for with `after`.',
    query: announcements.announcementListParams,
    data: z.array(announcements.announcementItem),
  },
  {
    route: 'GET /ann',
    who: 'anyone',
    summary: 'System announcements, in the same way.',
    query: announcements.announcementListParams,
    data: z.array(announcements.announcementItem),
  },
  {
    route: 'GET /ann/:annId',
    who: 'anyone',
    summary: 'A system announcement.',
    data: announcements.announcement,
    errors: ['announcement_not_found'],
  },
  {
    route: 'GET /ann/:name/:annId',
    who: 'member',
    summary: 'An announcement of a course.',
    data: announcements.announcement,
    errors: ['announcement_not_found'],
  },
  {
    route: 'POST /ann',
    who: 'staff',
    summary: 'Creates an announcement.',
    body: announcements.newAnnouncement,
    bodyBytes: BODY_LIMITS.announcementBytes,
    data: announcements.announcementCreated,
    errors: ['too_many_announcements'],
  },
  {
    route: 'PUT /ann',
    who: 'staff',
    summary: 'Changes an announcement.',
    body: announcements.announcementEdit,
    bodyBytes: BODY_LIMITS.announcementBytes,
    errors: ['announcement_not_found', 'stale_edit'],
  },
  {
    route: 'DELETE /ann',
    who: 'staff',
    summary: 'Deletes an announcement.',
    body: announcements.announcementRef,
    errors: ['announcement_not_found', 'stale_edit'],
  },
  {
    route: 'GET /course/:name/homework',
    who: 'member',
    isHeavy: true,
    summary: 'Homeworks of a course.',
    query: homeworks.homeworkListParams,
    data: z.array(homeworks.homework),
  },
  {
    route: 'GET /homework',
    who: 'session',
    summary:
      'The homeworks that run now in the courses one teaches or is a member of, the one due first first, with one’s own progress.',
    data: z.array(homeworks.runningHomework),
  },
  {
    route: 'GET /search',
    who: 'session',
    summary:
      'Problems, homeworks and people of all one’s courses by words of their names, the newest first.',
    query: search.searchParams,
    data: search.found,
  },
  {
    route: 'GET /overview',
    who: 'session',
    isHeavy: true,
    summary:
      'What waits in the courses where one is staff: open questions, Judge Errors, running homeworks with their turnout, the newest submissions.',
    data: overview,
  },
  {
    route: 'POST /homework',
    who: 'staff',
    summary: 'Creates a homework.',
    body: homeworks.newHomework,
    data: homeworks.homeworkCreated,
    errors: ['homework_exists', 'problem_not_found'],
  },
  {
    route: 'GET /homework/:id',
    who: 'member',
    isHeavy: true,
    summary: 'A homework.',
    data: homeworks.homework,
    errors: ['homework_not_found'],
  },
  {
    route: 'GET /homework/:id/scoreboard',
    who: 'member',
    isHeavy: true,
    summary:
      'What students see of each other in a homework, by name or pseudonym; only where the homework shows it to them.',
    data: homeworks.homeworkBoard,
    errors: ['homework_not_found', 'scoreboard_hidden'],
  },
  {
    route: 'PUT /homework/:id',
    who: 'staff',
    summary: 'Changes a homework.',
    body: homeworks.homeworkForm,
    errors: ['homework_not_found', 'homework_exists', 'problem_not_found', 'stale_edit'],
  },
  {
    route: 'DELETE /homework/:id',
    who: 'staff',
    summary: 'Deletes a homework.',
    errors: ['homework_not_found', 'stale_edit'],
  },
  {
    route: 'POST /homework/:id/rejudge',
    who: 'staff',
    summary: 'Judges the submissions of a homework again, behind live ones.',
    body: bulkRejudge,
    data: operationStarted,
    status: 202,
    errors: ['homework_not_found'],
  },
]
