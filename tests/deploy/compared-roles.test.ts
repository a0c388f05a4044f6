/** Rights are asked of one table; code compares a role's name only where it shows or stores that role. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listComparedRoles } from '../../scripts/compared-roles.ts'
import { ROOT } from '../../scripts/root.ts'

/** The allowed comparisons: the member table, the student of a closed course who is a reader, the file of a class that changes only students, set-up, which looks for teachers, and the index of a course's staff. */
const COMPARED = [
  "web/features/courses/member-table.tsx courseRole === 'ta'",
  "web/features/courses/member-table.tsx courseRole === 'teacher'",
  "web/lib/queries/course.ts role === 'student'",
  "worker/db/schema.ts role <> 'student'",
  "worker/features/auth/sign-up/batch-signup-rows.ts known.courseRole !== 'student'",
  'worker/features/setup/queries.ts eq(users.role, ROLES.teacher)',
]

test('the Worker and the web app decide by rights, not by the names of roles', () => {
  const files = execFileSync('git', ['ls-files', 'web', 'worker'], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file))
  expect(files.length).toBeGreaterThan(300)
  const found = files.flatMap((file) =>
    listComparedRoles(file, readFileSync(join(ROOT, file), 'utf8')),
  )
  expect(found.map((where) => where.replace(/:\d+/, '')).toSorted()).toEqual(COMPARED)
})

test.each([
  "const staff = sql`${memberships.role} = 'ta'`",
  "const staff = sql`x and ${standingOf(user)} in ('admin', 'teacher')`",
  'const staff = sql`${users.role} <> ${ROLES.admin}`',
  "const staff = sql`a ${sql`and ${memberships.role} is not 'ta'`} b`",
  "const students = eq(memberships.role, 'student')",
  'const staff = inArray(users.role, [ROLES.admin, ROLES.teacher])',
  "const isStudent = member.courseRole === 'student'",
])('a comparison of roles is found once: %s', (text) => {
  expect(listComparedRoles('worker/db/some.ts', text)).toHaveLength(1)
  expect(listComparedRoles('worker/db/standing.ts', text)).toEqual([])
})

test.each([
  "const may = sql`${standing} in ${standingsThatCan('course.read')}`",
  'const named = eq(users.role, role)',
  "const row = sql`coalesce(value ->> 'role', ${ROLES.student})`",
])('what compares no name of a role is none: %s', (text) => {
  expect(listComparedRoles('worker/db/some.ts', text)).toEqual([])
})
