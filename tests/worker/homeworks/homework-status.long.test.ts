/** When a homework runs: TypeScript, SQL and every query agree. */
import { and, eq } from 'drizzle-orm'
import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { homeworkStatusAt, type HomeworkStatus } from '#contract/homeworks'
import { ROLES } from '#contract/roles'
import { openDb } from '../../../worker/db/client.ts'
import { isHomework } from '../../../worker/db/homework-status.ts'
import { homeworkDates, problems } from '../../../worker/db/schema.ts'
import { visibleTo } from '../../../worker/db/visibility.ts'
import { listRunningHomeworks } from '../../../worker/features/homeworks/queries.ts'
import { getProblem } from '../../../worker/features/problems/queries.ts'
import { runSql } from '../support/sql.ts'
import { createProblem } from '../support/world.ts'

const NOW = 1_800_000_000
const STATUSES = ['not-started', 'running', 'over'] as const satisfies HomeworkStatus[]

/** An opening or a closing near now: often now itself, or a second before or after. */
const near = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.integer({ min: -90_000, max: 90_000 }))
const times = fc
  .tuple(near, near)
  .map((both) => both.toSorted((left, right) => left - right))
  .map(([opens = 0, closes = 0]) => ({ opens: NOW + opens, closes: NOW + closes }))

test('a homework that opens or closes now runs; a second earlier or later it does not', () => {
  const statusOf = (opens: number, closes: number) => homeworkStatusAt({ opens, closes }, NOW)
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
  const account = {
    role: ROLES.student,
    email: '',
    emailConfirmedAt: 1,
    confirmDueAt: null,
    bio: '',
  }
  const user = { id: userId, username, displayedName: username, ...account }
  await runSql`insert into homework_overrides (homework_id, user_id, setter_id, set_at) values (${id}, ${userId}, ${teacher.id}, 1)`
  /** The dates are the homework's or, with others there, the student's own. */
  const setDates = async ({ opens, closes }: { opens: number; closes: number }, isOwn: boolean) => {
    const [start, end] = isOwn ? [NOW - 5, NOW - 4] : [opens, closes]
    const own = isOwn ? [opens, closes] : [null, null]
    await runSql`update homeworks set start_at = ${start}, end_at = ${end} where id = ${id}`
    await runSql`update homework_overrides set opens = ${own[0]}, due = ${own[1]} where homework_id = ${id}`
  }
  await fc.assert(
    fc.asyncProperty(times, fc.boolean(), async (dates, isOwn) => {
      await setDates(dates, isOwn)
      const status = homeworkStatusAt(dates, NOW)
      for (const each of STATUSES) {
        const isFound = and(
          eq(homeworkDates.homeworkId, id),
          eq(homeworkDates.userId, userId),
          isHomework(each, homeworkDates, NOW),
        )
        expect(await db.$count(homeworkDates, isFound), each).toBe(Number(each === status))
      }
      const isThere = status !== 'not-started'
      const listed = await db
        .select({ id: problems.id })
        .from(problems)
        .where(and(eq(problems.id, problemId), visibleTo('student', userId, NOW)))
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
