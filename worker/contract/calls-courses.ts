/** The calls about courses and what they hold. */
import * as z from 'zod'
import {
  announcement,
  announcementCreated,
  announcementEdit,
  announcementItem,
  announcementListParams,
  announcementRef,
  newAnnouncement,
} from '#contract/announcements'
import type { Call } from '#contract/call'
import {
  courseDetail,
  courseEdit,
  courseItem,
  courseMembers,
  courseListParams,
  courseRef,
  memberChanges,
  newCourse,
} from '#contract/courses'
import {
  homework,
  homeworkCreated,
  homeworkForm,
  homeworkListParams,
  newHomework,
  runningHomework,
} from '#contract/homeworks'
import { operationStarted } from '#contract/operations'
import { BODY_LIMITS } from '#contract/limits'
import { bulkRejudge } from '#contract/runners'
import { courseSummary, scoreboardParams, scoreboardRow } from '#contract/stats'

const courseNamed = z.object({ course: z.string() })

/** In the order of the contract. */
export const COURSE_CALLS: readonly Call[] = [
  {
    route: 'GET /course',
    who: 'session',
    summary: 'One’s courses; an admin’s are all.',
    query: courseListParams,
    data: z.array(courseItem),
  },
  {
    route: 'POST /course',
    who: 'session',
    summary: 'Creates a course; for admins and teachers.',
    body: newCourse,
    data: courseNamed,
    errors: [
      'forbidden',
      'course_exists',
      'user_not_found',
      'teacher_is_student',
      'email_unconfirmed',
    ],
  },
  {
    route: 'PUT /course',
    who: 'teacher',
    summary: 'Renames a course or gives it another teacher.',
    body: courseEdit,
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
    body: courseRef,
    errors: ['stale_edit'],
  },
  {
    route: 'GET /course/summary',
    who: 'admin',
    summary: 'Counts of all courses.',
    data: courseSummary,
  },
  {
    route: 'GET /course/:name',
    who: 'member',
    summary: 'A course and its people.',
    data: courseDetail,
  },
  {
    route: 'PUT /course/:name',
    who: 'teacher',
    summary: 'Replaces the lists of teaching assistants and students.',
    body: courseMembers,
    errors: ['password_required', 'user_not_found', 'email_unconfirmed', 'stale_edit'],
  },
  {
    route: 'POST /course/:name/restore',
    who: 'teacher',
    summary: 'Restores a deleted course.',
    data: courseNamed,
  },
  {
    route: 'PATCH /course/:name/members',
    who: 'teacher',
    summary: 'Adds and removes people.',
    body: memberChanges,
    errors: ['password_required', 'user_not_found', 'email_unconfirmed', 'stale_edit'],
  },
  {
    route: 'GET /course/:name/scoreboard',
    who: 'staff',
    summary: 'What each student has reached on each problem.',
    query: scoreboardParams,
    data: z.array(scoreboardRow),
  },
  {
    route: 'GET /course/:name/ann',
    who: 'member',
    summary:
      'Announcements of a course, pinned first, then newest; long texts are cut. The next page is asked for with `after`.',
    query: announcementListParams,
    data: z.array(announcementItem),
  },
  {
    route: 'GET /ann',
    who: 'anyone',
    summary: 'System announcements, in the same way.',
    query: announcementListParams,
    data: z.array(announcementItem),
  },
  {
    route: 'GET /ann/:annId',
    who: 'anyone',
    summary: 'A system announcement.',
    data: announcement,
    errors: ['announcement_not_found'],
  },
  {
    route: 'GET /ann/:name/:annId',
    who: 'member',
    summary: 'An announcement of a course.',
    data: announcement,
    errors: ['announcement_not_found'],
  },
  {
    route: 'POST /ann',
    who: 'staff',
    summary: 'Creates an announcement.',
    body: newAnnouncement,
    bodyBytes: BODY_LIMITS.announcementBytes,
    data: announcementCreated,
    errors: ['too_many_announcements'],
  },
  {
    route: 'PUT /ann',
    who: 'staff',
    summary: 'Changes an announcement.',
    body: announcementEdit,
    bodyBytes: BODY_LIMITS.announcementBytes,
    errors: ['announcement_not_found', 'stale_edit'],
  },
  {
    route: 'DELETE /ann',
    who: 'staff',
    summary: 'Deletes an announcement.',
    body: announcementRef,
    errors: ['announcement_not_found', 'stale_edit'],
  },
  {
    route: 'GET /course/:name/homework',
    who: 'member',
    summary: 'Homeworks of a course.',
    query: homeworkListParams,
    data: z.array(homework),
  },
  {
    route: 'GET /homework',
    who: 'session',
    summary:
      'The homeworks that run now in the courses one teaches or is a member of, the one due first first, with one’s own progress.',
    data: z.array(runningHomework),
  },
  {
    route: 'POST /homework',
    who: 'staff',
    summary: 'Creates a homework.',
    body: newHomework,
    data: homeworkCreated,
    errors: ['homework_exists', 'problem_not_found'],
  },
  {
    route: 'GET /homework/:id',
    who: 'member',
    summary: 'A homework.',
    data: homework,
    errors: ['homework_not_found'],
  },
  {
    route: 'PUT /homework/:id',
    who: 'staff',
    summary: 'Changes a homework.',
    body: homeworkForm,
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
