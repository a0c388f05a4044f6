/** Courses and their members (contract §3). */
import * as z from 'zod'
import { courseName, userInfo, username } from '#contract/fields'
import { COUNT_LIMITS, TEXT_LIMITS } from '#contract/limits'
import { courseRole } from '#contract/roles'

/** Whether a name is a time zone this runtime knows (IANA). */
function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** POST /course. */
export const newCourse = z.object({
  course: courseName,
  teacher: username,
  timeZone: z.string().max(64).refine(isTimeZone).default('UTC'),
})
export type NewCourse = z.input<typeof newCourse>

/** An item of GET /course. `role` is the caller's in that course. */
export const courseItem = z.object({ course: z.string(), teacher: userInfo, role: courseRole })
export type CourseItem = z.infer<typeof courseItem>

/** GET /course/{name}. */
export const courseDetail = z.object({
  course: z.string(),
  teacher: userInfo,
  TAs: z.array(userInfo),
  students: z.array(userInfo),
  role: courseRole,
  timeZone: z.string(),
})
export type CourseDetail = z.infer<typeof courseDetail>

/** PUT /course/{name}: replaces both lists. */
export const courseMembers = z.object({
  TAs: z.array(username).max(COUNT_LIMITS.membersPerRequest),
  students: z.array(username).max(COUNT_LIMITS.membersPerRequest),
})
export type CourseMembers = z.infer<typeof courseMembers>

const usernameOrEmail = z.string().trim().min(1).max(TEXT_LIMITS.email)

/** PATCH /course/{name}/members: adds (or changes the role of) and removes people, nobody else is touched. */
export const memberChanges = z.object({
  add: z
    .array(z.object({ user: usernameOrEmail, role: z.enum(['ta', 'student']) }))
    .max(COUNT_LIMITS.membersPerRequest)
    .default([]),
  remove: z.array(username).max(COUNT_LIMITS.membersPerRequest).default([]),
})
export type MemberChanges = z.input<typeof memberChanges>

/** `data` of the 404 `user_not_found` of both: the names nobody has. */
export const unknownUsers = z.object({ unknown: z.array(z.string()) })
