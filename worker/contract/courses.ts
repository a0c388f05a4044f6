/** Courses and their members. */
import * as z from 'zod'
import { mapByName } from '#contract/by-name'
import {
  courseName,
  epochSeconds,
  listOf,
  listOfUsernames,
  userInfo,
  username,
} from '#contract/fields'
import { counts } from '#contract/homework-dates'
import { label } from '#contract/labels'
import { COUNT_LIMITS, TEXT_LIMITS } from '#contract/limits'
import { nameKey } from '#contract/names'
import { waitingQuestions } from '#contract/questions'
import { courseRole } from '#contract/roles'

/** Whether this runtime knows the IANA time zone. */
function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/**
 * Names that no new course may have, in capitals or not: words of API and web addresses, and the two path segments that browsers
 * remove. A course that already has a reserved name keeps it and can be renamed.
 */
export const RESERVED_COURSE_NAMES: ReadonlySet<string> = new Set(['.', '..', 'summary'])

/** The name of a new course. */
export const newCourseName = courseName.refine(
  (name) => !RESERVED_COURSE_NAMES.has(nameKey(name)),
  {
    params: { code: 'reserved' },
  },
)

/** An IANA time zone. */
export const timeZone = z.string().max(64).refine(isTimeZone)

/** POST /course. */
export const newCourse = z.object({
  course: newCourseName,
  teacher: username,
  timeZone: timeZone.default('UTC'),
})
export type NewCourse = z.input<typeof newCourse>

/**
 * PUT /course: renames a course, changes its teacher or its time zone. A field that is absent changes nothing. When the time
 * zone changes, homeworks begin and end at the same instants as before. With `keepWallTimes`, future times stay the same on a
 * clock in the course, so their instants move. `counts`: which submission counts in homeworks that do not say it themselves.
 * `closed`: students of a closed course only read, and it is in no list except `closed=true`.
 */
export const courseEdit = z.object({
  course: courseName,
  newCourse: newCourseName.optional(),
  teacher: username.optional(),
  timeZone: timeZone.optional(),
  keepWallTimes: z.boolean().optional(),
  counts: counts.optional(),
  closed: z.boolean().optional(),
})
export type CourseEdit = z.infer<typeof courseEdit>

/** DELETE /course. */
export const courseRef = z.object({ course: courseName })

/** Query of GET /course. `closed=true`: the closed courses. `deleted=true`: the caller's deleted courses that can still be restored. */
export const courseListParams = z.object({
  closed: z.enum(['true', 'false']).optional(),
  deleted: z.enum(['true', 'false']).optional(),
})

/**
 * An item of GET /course. `role` is the caller's in that course; `closedAt` exists only for closed courses, `deletedAt` only for deleted
 * ones.
 */
export const courseItem = z.object({
  course: z.string(),
  teacher: userInfo,
  role: courseRole,
  waitingQuestions,
  closedAt: epochSeconds.optional(),
  deletedAt: epochSeconds.optional(),
})
export type CourseItem = z.infer<typeof courseItem>

/** What a course needs before its students can begin, in the order in which staff set it up. */
export const COURSE_STEPS = ['members', 'problem', 'testData', 'homework', 'announcement'] as const

const courseStep = z.enum(COURSE_STEPS)
export type CourseStep = z.infer<typeof courseStep>

/**
 * GET /course/{name}. `unconfirmed`, for staff: usernames whose e-mail nobody has confirmed. All details of such an account
 * were entered by whoever made it. `emails`, for people who manage the members: username → address, for the accounts that this
 * course made. `lacks`, for staff: what the course does not have yet. `labels`, and `memberLabels` with the ids of the labels of each
 * student who has some: for students only the shown labels. `copiedFrom`, for staff: the name of the course that this one was copied from.
 * `closedAt` null: the course is open.
 */
export const courseDetail = z.object({
  course: z.string(),
  teacher: userInfo,
  TAs: z.array(userInfo),
  students: z.array(userInfo),
  role: courseRole,
  timeZone: z.string(),
  counts,
  closedAt: epochSeconds.nullable(),
  labels: z.array(label),
  memberLabels: mapByName(z.array(z.int())),
  waitingQuestions,
  copiedFrom: z.string().nullable().optional(),
  unconfirmed: z.array(z.string()).optional(),
  emails: mapByName(z.string()).optional(),
  lacks: z.array(courseStep).optional(),
})
export type CourseDetail = z.infer<typeof courseDetail>
/** A course as the server sends it. */
export type SentCourseDetail = z.input<typeof courseDetail>

/** Query of GET /course/{name}/people: a part of a username, a displayed name or an e-mail. */
export const peopleParams = z.object({ search: z.string().trim().min(2).max(TEXT_LIMITS.search) })

/** PUT /course/{name}: replaces the lists of TAs and students. */
export const courseMembers = z.object({
  TAs: listOfUsernames(COUNT_LIMITS.membersPerRequest),
  students: listOfUsernames(COUNT_LIMITS.membersPerRequest),
})
export type CourseMembers = z.infer<typeof courseMembers>

const usernameOrEmail = z.string().trim().min(1).max(TEXT_LIMITS.email)

/** A person to add, named by `username`, by a confirmed `email`, or by either in `user`. */
const newMember = z
  .object({
    user: usernameOrEmail.optional(),
    username: usernameOrEmail.optional(),
    email: usernameOrEmail.optional(),
    role: z.enum(['ta', 'student']),
  })
  .refine(({ user, username, email }) => (user ?? username ?? email) !== undefined, {
    path: ['user'],
    params: { code: 'required' },
  })

/** PATCH /course/{name}/members: adds people, changes their roles, removes people. Other members stay as they are. */
export const memberChanges = z.object({
  add: listOf(newMember, COUNT_LIMITS.membersPerRequest).default([]),
  remove: listOfUsernames(COUNT_LIMITS.membersPerRequest).default([]),
})
export type MemberChanges = z.input<typeof memberChanges>

/** `data` of the 404 `user_not_found` of PUT and PATCH: unknown names, and e-mails that nobody has confirmed. */
export const unknownUsers = z.object({ unknown: z.array(z.string()) })

/** `data` of the 409 `email_unconfirmed`: people who must confirm their e-mail first. */
export const unconfirmedUsers = z.object({ unconfirmed: z.array(userInfo) })
