/** Who may do what. The code has this table by capability; this test lists it by person. */
import { describe, expect, test } from 'vitest'
import {
  can,
  CAPABILITIES,
  roleCan,
  ROLES,
  rolesThatCan,
  standingOfRole,
  standingsThatCan,
  type Capability,
  type Standing,
} from '#contract/roles'

const OF_MEMBERS = ['course.read', 'submission.create', 'question.ask'] as const
const OF_STUDENTS = [...OF_MEMBERS, 'scoreboard.appear', 'course.leave'] as const
const OF_STAFF = [
  ...OF_MEMBERS,
  'announcement.write',
  'gradebook.read',
  'gradebook.write',
  'homework.write',
  'problem.write',
  'problem.readHidden',
  'submission.readAll',
  'submission.rejudge',
  'copycat.use',
  'quota.exempt',
  'question.answer',
  'queue.read',
] as const
const OF_TEACHERS = [...OF_STAFF, 'course.manage', 'gradebook.manage', 'members.manage'] as const
const OF_INSTRUCTORS = ['course.create', 'queue.read'] as const
const OF_ADMINS = [
  ...OF_TEACHERS,
  'course.create',
  'course.readAll',
  'course.appointTeacher',
  'fleet.manage',
  'storage.manage',
  'installation.setUp',
  'audit.read',
  'users.manage',
] as const satisfies Capability[]

const ALL = Object.keys(CAPABILITIES).toSorted() as Capability[]

test.each<[Standing, readonly Capability[]]>([
  ['guest', []],
  ['outsider', []],
  ['reader', ['course.read', 'course.leave']],
  ['student', OF_STUDENTS],
  ['ta', [...OF_STAFF, 'course.leave']],
  ['teacher', OF_TEACHERS],
  ['instructor', OF_INSTRUCTORS],
  ['admin', OF_ADMINS],
])('a standing may do what is listed for it and nothing else: %s', (standing, may) => {
  expect(ALL.filter((capability) => can(standing, capability))).toEqual(may.toSorted())
  expect(ALL.filter((capability) => standingsThatCan(capability).includes(standing))).toEqual(
    may.toSorted(),
  )
})

describe('a global role', () => {
  test('makes of a person in the installation what its name says', () => {
    const { guest, admin, teacher, student } = ROLES
    expect([guest, admin, teacher, student].map(standingOfRole)).toEqual([
      'guest',
      'admin',
      'instructor',
      'outsider',
    ])
    expect(roleCan(teacher, 'course.create')).toBe(true)
    expect(roleCan(student, 'course.create')).toBe(false)
  })

  test('is listed with the others that may do something, guests never', () => {
    expect(rolesThatCan('course.create')).toEqual([ROLES.admin, ROLES.teacher])
    expect(rolesThatCan('users.manage')).toEqual([ROLES.admin])
    expect(rolesThatCan('course.read')).toEqual([ROLES.admin])
  })
})
