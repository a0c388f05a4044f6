/** When a homework runs: TypeScript, SQL and every query agree. */
import { and, eq } from 'drizzle-orm'
import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { homeworkStatusAt, type HomeworkStatus } from '#contract/homeworks'
import { ROLES } from '#contract/roles'
import { openDb } from '../../../worker/db/client.ts'
import { isHomework } from '../../../worker/db/homework-status.ts'
import { homeworks, problems } from '../../../worker/db/schema.ts'
import { visibleTo } from '../../../worker/db/visibility.ts'
import { listRunningHomeworks } from '../../../worker/features/homeworks/queries.ts'
import { getProblem } from '../../../worker/features/problems/queries.ts'
import { runSql } from '../support/sql.ts'
import { createProblem } from '../support/world.ts'

const NOW = 1_800_000_000
const STATUSES = ['not-started', 'running', 'over'] as const satisfies HomeworkStatus[]

/** A start or an end near now: often now itself, or a second before or after. */
const near = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.integer({ min: -90_000, max: 90_000 }))
const times = fc
  .tuple(near, near)
  .map((both) => both.toSorted((left, right) => left - right))
  .map(([start = 0, end = 0]) => ({ start: NOW + start, end: NOW + end }))

test('a homework that starts or ends now runs; a second earlier or later it does not', () => {
  const statusOf = (start: number, end: number) => homeworkStatusAt({ start, end }, NOW)
  expect([statusOf(NOW, NOW), statusOf(NOW, NOW + 1), statusOf(NOW - 1, NOW)]).toEqual(
    Array(3).fill('running'),
  )
  expect([statusOf(NOW + 1, NOW + 1), statusOf(NOW - 1, NOW - 1)]).toEqual(['not-started', 'over'])
})

test('statements find a homework in the status that the contract gives it, and so do all that ask', async () => {
  const { course, teacher, student, problemId } = await createProblem()
  const form = { name: 'H', courseName: course, start: 1, end: 2, problemIds: [problemId] }
  const { id } = (await teacher.post('/homework', form)).data
  const db = openDb(env.DB)
  const { id: userId, username } = student
  const account = { role: ROLES.student, email: '', emailConfirmedAt: 1, bio: '' }
  const user = { id: userId, username, displayedName: username, ...account }
  await fc.assert(
    fc.asyncProperty(times, async ({ start, end }) => {
      await runSql`update homeworks set start_at = ${start}, end_at = ${end} where id = ${id}`
      const status = homeworkStatusAt({ start, end }, NOW)
      for (const each of STATUSES) {
        const isFound = and(eq(homeworks.id, id), isHomework(each, homeworks, NOW))
        expect(await db.$count(homeworks, isFound), each).toBe(Number(each === status))
      }
      const isThere = status !== 'not-started'
      const listed = await db
        .select({ id: problems.id })
        .from(problems)
        .where(and(eq(problems.id, problemId), visibleTo('student', NOW)))
      expect(listed).toHaveLength(Number(isThere))
      const page = await getProblem(db, user, problemId, NOW)
      expect(page?.problem.homeworks.map((homework) => homework.id)).toEqual(
        isThere ? [id] : undefined,
      )
      const due = await listRunningHomeworks(db, user, NOW)
      expect(due.map((homework) => homework.id)).toEqual(status === 'running' ? [id] : [])
    }),
    { numRuns: 60 },
  )
})
