/** Who a person is, globally and in a course, and what that lets them do. */
import * as z from 'zod'

/** Global role codes as they stand on the wire. */
export const ROLES = { guest: -1, admin: 0, teacher: 1, student: 2 } as const

/** A global role of a signed-in person: 0 admin, 1 teacher, 2 student. */
export const roleCode = z.union([z.literal(0), z.literal(1), z.literal(2)])
export type RoleCode = z.infer<typeof roleCode>

/** What a person is inside one course; an admin counts as teacher in every course. */
export const courseRole = z.enum(['teacher', 'ta', 'student'])
export type CourseRole = z.infer<typeof courseRole>

/** A person's standing towards a resource: the course role where there is one, else what they are outside of it. */
export type Standing = CourseRole | 'admin' | 'outsider' | 'guest'

/**
 * The one permission table. A capability that is not listed for a standing is refused.
 * `course.*` and below are asked with the standing in that course.
 */
const CAPABILITIES = {
  'course.read': ['admin', 'teacher', 'ta', 'student'],
  'course.manage': ['admin', 'teacher'],
  'members.manage': ['admin', 'teacher'],
  'announcement.write': ['admin', 'teacher', 'ta'],
  'homework.write': ['admin', 'teacher', 'ta'],
  'problem.write': ['admin', 'teacher', 'ta'],
  'problem.readHidden': ['admin', 'teacher', 'ta'],
  'submission.create': ['admin', 'teacher', 'ta', 'student'],
  'submission.readAll': ['admin', 'teacher', 'ta'],
  'submission.rejudge': ['admin', 'teacher', 'ta'],
  'copycat.use': ['admin', 'teacher', 'ta'],
  'quota.exempt': ['admin', 'teacher', 'ta'],
  /** Of the whole installation: asked with `admin` or `outsider`. */
  'fleet.manage': ['admin'],
  'storage.manage': ['admin'],
  'audit.read': ['admin'],
  'users.manage': ['admin'],
} as const satisfies Record<string, readonly Standing[]>

/** A thing one may be allowed to do. */
export type Capability = keyof typeof CAPABILITIES

/**
 * The only permission question of the product.
 * @param standing who asks, towards the course in question
 * @param capability what they want to do
 */
export function can(standing: Standing, capability: Capability): boolean {
  return (CAPABILITIES[capability] as readonly Standing[]).includes(standing)
}
