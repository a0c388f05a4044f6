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
 * A person's standing. Towards a course it is `admin`, else the role in it, else `outsider`. A student of a closed course is a `reader`. Towards the installation the
 * global role gives it, see `standingOfRole`; an `instructor` may have courses.
 */
export type Standing = CourseRole | 'admin' | 'reader' | 'instructor' | 'outsider' | 'guest'

/**
 * The table of permissions. A capability that is not listed for a standing is refused. The upper capabilities are checked with the
 * standing in the course in question. SQL statements use this table, too: `worker/db/standing.ts`.
 */
export const CAPABILITIES = {
  'course.read': ['admin', 'teacher', 'ta', 'student', 'reader'],
  /** Ends the own membership. */
  'course.leave': ['ta', 'student', 'reader'],
  'course.manage': ['admin', 'teacher'],
  'members.manage': ['admin', 'teacher'],
  'announcement.write': ['admin', 'teacher', 'ta'],
  /** Reads everybody's marks; totals only where the course shows them to assistants. */
  'gradebook.read': ['admin', 'teacher', 'ta'],
  /** Sets marks by hand, holds and shows them. */
  'gradebook.write': ['admin', 'teacher', 'ta'],
  /** Says what the columns are and how the total is made, reads and shows totals. */
  'gradebook.manage': ['admin', 'teacher'],
  'homework.write': ['admin', 'teacher', 'ta'],
  'problem.write': ['admin', 'teacher', 'ta'],
  'problem.readHidden': ['admin', 'teacher', 'ta'],
  'submission.create': ['admin', 'teacher', 'ta', 'student'],
  'submission.readAll': ['admin', 'teacher', 'ta'],
  'submission.rejudge': ['admin', 'teacher', 'ta'],
  'copycat.use': ['admin', 'teacher', 'ta'],
  'quota.exempt': ['admin', 'teacher', 'ta'],
  /** Writes questions of one's own. */
  'question.ask': ['admin', 'teacher', 'ta', 'student'],
  /** Reads and answers everybody's questions. */
  'question.answer': ['admin', 'teacher', 'ta'],
  /** Has progress of their own, and is on scoreboards and in statistics. */
  'scoreboard.appear': ['student'],
  /** Checked for a person as a whole: by the global role or by the role in any course. */
  'queue.read': ['admin', 'instructor', 'teacher', 'ta'],
  /** The capabilities below concern the whole installation and are checked with `standingOfRole`. */
  'course.create': ['admin', 'instructor'],
  'course.readAll': ['admin'],
  'course.appointTeacher': ['admin'],
  'fleet.manage': ['admin'],
  'storage.manage': ['admin'],
  'installation.setUp': ['admin'],
  'audit.read': ['admin'],
  'users.manage': ['admin'],
} satisfies Record<string, Standing[]>

/** Something that a person may be allowed to do. */
export type Capability = keyof typeof CAPABILITIES

/**
 * Whether a standing has a capability; every check of rights asks this.
 * @param standing the caller's, towards the course in question or the installation
 * @param capability what they want to do
 */
export function can(standing: Standing, capability: Capability): boolean {
  return standingsThatCan(capability).includes(standing)
}

/** The standings that have a capability; for conditions in SQL. */
export function standingsThatCan(capability: Capability): readonly Standing[] {
  return CAPABILITIES[capability]
}

const ROLE_STANDINGS = {
  [ROLES.guest]: 'guest',
  [ROLES.admin]: 'admin',
  [ROLES.teacher]: 'instructor',
  [ROLES.student]: 'outsider',
} as const satisfies Record<number, Standing>

/** The standing towards the installation that a global role gives. */
export function standingOfRole(role: keyof typeof ROLE_STANDINGS): Standing {
  return ROLE_STANDINGS[role]
}

/** Whether a person of a global role may do something in the installation. */
export function roleCan(role: keyof typeof ROLE_STANDINGS, capability: Capability): boolean {
  return can(standingOfRole(role), capability)
}

/** The global roles of signed-in people that may do something in the installation; for conditions in SQL. */
export function rolesThatCan(capability: Capability): RoleCode[] {
  return [ROLES.admin, ROLES.teacher, ROLES.student].filter((role) => roleCan(role, capability))
}
