/** Roles, globally and in a course, and the rights they give. */
import * as z from 'zod'

/** Global role codes as they stand on the wire. */
export const ROLES = { guest: -1, admin: 0, teacher: 1, student: 2 } as const

/** A global role of a signed-in person: 0 admin, 1 teacher, 2 student. */
export const roleCode = z.union([z.literal(0), z.literal(1), z.literal(2)])
export type RoleCode = z.infer<typeof roleCode>

/** A role in one course. An admin counts as teacher in every course. */
export const courseRole = z.enum(['teacher', 'ta', 'student'])
export type CourseRole = z.infer<typeof courseRole>

/**
 * A person's standing towards something: the course role if there is one, else what they are outside of the
 * course.
 */
export type Standing = CourseRole | 'admin' | 'outsider' | 'guest'

/**
 * The table of permissions. A capability that is not listed for a standing is refused. The upper ones are
 * asked with the standing in the course in question.
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

/** Something that a person may be allowed to do. */
export type Capability = keyof typeof CAPABILITIES

/**
 * Whether a standing has a capability: the only question about rights.
 * @param standing the caller's, towards the course in question
 * @param capability what they want to do
 */
export function can(standing: Standing, capability: Capability): boolean {
  return (CAPABILITIES[capability] as readonly Standing[]).includes(standing)
}
