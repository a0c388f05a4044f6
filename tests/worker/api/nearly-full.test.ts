/** Capped lists: at the cap nothing is lost; beyond it the oldest entry goes, or the new one is refused. */
import { env } from 'cloudflare:workers'
import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { homeworkForm } from '#contract/homeworks'
import { COUNT_LIMITS } from '#contract/limits'
import { newProblem } from '#contract/problems'
import { savedReplies } from '#contract/questions'
import { STATUS } from '#contract/verdicts'
import { HISTORY_LENGTH } from '../../../worker/features/submissions/queries.ts'
import { RANKED, toProblemStats } from '../../../worker/features/problems/stats.ts'
import { KNOWN_DEVICE, deviceKeys, sendDeviceKey } from '../../../worker/http/device.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { findDeviceKey } from '../../../worker/lib/device-keys.ts'
import { historyStatements } from '../support/long-history.ts'
import { ATTEMPTS } from '../../../worker/db/problem-results.ts'
import { emptyQueue, judgeAll } from '../support/judge.ts'
import { packLater, packOf } from '../support/packs.ts'
import { firstValue, numbersBelow, runSql } from '../support/sql.ts'
import {
  addStudents,
  createProblem,
  problemForm,
  registerRunner,
  submit,
} from '../support/world.ts'

/** This many different texts. */
const texts = (count: number) => Array.from({ length: count }, (_, index) => `text ${index}`)

/** This many equal subtasks; the first has all points. */
const subtasks = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    caseCount: 1,
    taskScore: index === 0 ? 100 : 0,
    memoryLimit: 65_536,
    timeLimit: 1000,
    sample: false,
  }))

const problemWith = (changes: Record<string, unknown>) => ({ course: 'C', ...problemForm(changes) })

describe('a form takes as many as it may and not one more', () => {
  test.each([
    ['tags', newProblem, COUNT_LIMITS.tags, (n: number) => problemWith({ tags: texts(n) })],
    [
      'samples',
      newProblem,
      COUNT_LIMITS.samples,
      (n: number) =>
        problemWith({
          description: { description: 'd', sampleInput: texts(n), sampleOutput: texts(n) },
        }),
    ],
    [
      'subtasks',
      newProblem,
      COUNT_LIMITS.subtasks,
      (n: number) => problemWith({ testCase: subtasks(n), noSamples: true }),
    ],
    [
      'cases',
      newProblem,
      COUNT_LIMITS.casesPerSubtask,
      (n: number) =>
        problemWith({ testCase: subtasks(1).map((each) => ({ ...each, caseCount: n })) }),
    ],
    [
      'problems of a homework',
      homeworkForm,
      COUNT_LIMITS.homeworkProblems,
      (n: number) => ({ name: 'H', start: 1, end: 2, problemIds: texts(n).map((_, id) => id + 1) }),
    ],
    [
      'saved replies',
      savedReplies,
      COUNT_LIMITS.savedReplies,
      (n: number) => ({ replies: texts(n) }),
    ],
  ])('%s', (_what, schema, most, formOf) => {
    const taken = [most - 1, most, most + 1].map((count) => schema.safeParse(formOf(count)).success)
    expect(taken).toEqual([true, true, false])
  })
})

test('a browser keeps the keys of the accounts that signed in last, and one that comes again displaces none', async () => {
  const accountOf = (id: number) => ({ id, passwordHash: `hash ${id}` })
  let keys: string[] = []
  const app = new Hono()
    .post('/:id', (c) => {
      sendDeviceKey(c, accountOf(Number(c.req.param('id'))))
      return c.text('')
    })
    .get('/', (c) => {
      keys = deviceKeys(c)
      return c.text('')
    })
  let cookie = ''
  const signIn = async (id: number) => {
    const sent = await app.request(`https://judge.test/${id}`, {
      method: 'POST',
      headers: { Cookie: cookie },
    })
    cookie = sent.headers.get('Set-Cookie')?.split(';')[0] ?? ''
    await app.request('https://judge.test/', { headers: { Cookie: cookie } })
    const known = [1, 2, 3, 4, 5, 6, 7].filter((each) => findDeviceKey(accountOf(each), keys))
    return [known, findDeviceKey(accountOf(id), keys) === keys[0]]
  }
  expect(KNOWN_DEVICE.accounts).toBe(5)
  for (const id of [1, 2, 3, 4]) await signIn(id)
  expect(await signIn(5)).toEqual([[1, 2, 3, 4, 5], true])
  expect(await signIn(1)).toEqual([[1, 2, 3, 4, 5], true])
  expect(await signIn(6)).toEqual([[1, 3, 4, 5, 6], true])
  expect(await signIn(7)).toEqual([[1, 4, 5, 6, 7], true])
})

test('a ranking has the best ten, of equals those who were first', () => {
  expect(RANKED).toBe(10)
  const idOf = (index: number) => index.toString().padStart(24, '0')
  const rows = Array.from({ length: RANKED + 2 }, (_, index) => ({
    user: { username: `u${index}`, displayedName: '', role: 2 as const },
    bestScore: 100,
    statusCounts: [1, 0, 0, 0, 0, 0, 0, 0],
    fastestId: idOf(index),
    // The second is slowest; all others are equal.
    fastestRunTimeMs: index === 1 ? 9 : 5,
    fastestMemoryKb: 1,
    fastestLanguage: 0 as const,
    fastestAt: 1,
    leanestId: idOf(index),
    leanestRunTimeMs: 1,
    leanestMemoryKb: index === 1 ? 9 : 5,
    leanestLanguage: 0 as const,
    leanestAt: 1,
  }))
  const best = rows.filter((_, index) => index !== 1).map(({ fastestId }) => fastestId)
  for (const given of [rows, rows.toReversed()]) {
    const { top10RunTime, top10MemoryUsage } = toProblemStats(rows.length, given)
    for (const ranking of [top10RunTime, top10MemoryUsage])
      expect(ranking.map(({ submissionId }) => submissionId)).toEqual(best.slice(0, RANKED))
    const few = toProblemStats(rows.length, given.slice(0, RANKED))
    expect(few.top10RunTime).toHaveLength(RANKED)
  }
})

test('a submission judged very often shows its newest judgements, in the database and from a pack', async () => {
  await emptyQueue()
  const { student, ta, problemId } = await createProblem()
  const id = await submit(student, problemId)
  await judgeAll(await registerRunner())
  const current = await firstValue<string>`select judgement_id from submissions where id = ${id}`
  const shown = async (): Promise<string[]> =>
    (await ta.get(`/submission/${id}`)).data.judgements.map(
      ({ judgementId }: { judgementId: string }) => judgementId,
    )
  const older = (index: number) => index.toString(16).padStart(24, '0')
  const expected = (count: number) => [
    current,
    ...Array.from({ length: count - 1 }, (_, index) => older(HISTORY_LENGTH - 1 - index)),
  ]
  const addOlder = (from: number, to: number) =>
    runSql`insert into judgements (id, submission_id, course_id, user_id, state, status, priority, rank, attempt, queued_at,
        ticket_at, phase, cases_total, finished_at)
      select printf('%024x', value), submission_id, course_id, user_id, 'done', 1, 0, 0, 1, 1, 1, 'running', 1, 1
      from judgements join json_each(${numbersBelow(to + 1)})
      where judgements.id = ${current} and value between ${from} and ${to}`
  await addOlder(1, HISTORY_LENGTH - 1)
  expect(await shown()).toEqual(expected(HISTORY_LENGTH))
  // A judgement older than all of these changes nothing.
  await addOlder(0, 0)
  expect(await shown()).toEqual(expected(HISTORY_LENGTH))
  await runSql`delete from sweep_positions`
  await packLater()
  expect(await packOf(id)).not.toBe(null)
  expect(await shown()).toEqual(expected(HISTORY_LENGTH))
})

test('of somebody who has handed in more than is read, the newest of the time count', async () => {
  const world = await createProblem()
  const { course, teacher, problemId } = world
  const now = nowSeconds()
  const first = now - 10 * ATTEMPTS.read
  const form = { courseName: course, name: 'H', problemIds: [problemId] }
  const made = await teacher.post('/homework', { ...form, start: first, end: now + 100 })
  for (const [student, count, best] of [
    [world.student, ATTEMPTS.read - 1, 100],
    [(await addStudents(world, 1))[0], ATTEMPTS.read, 100],
    [(await addStudents(world, 1))[0], ATTEMPTS.read + 1, 60],
  ] as const) {
    if (!student) throw new Error('nobody')
    const history = { userId: student.id, problemId, count, spacing: 1, now }
    await env.DB.batch(historyStatements(history).map((sql) => env.DB.prepare(sql)))
    const isOf = `from submissions where user_id = ${student.id}`
    for (const sql of [
      `update submissions set status = ${STATUS.WA}, score = 0 where user_id = ${student.id}`,
      `update submissions set score = 100 where id = (select min(id) ${isOf})`,
      `update submissions set score = 60 where id = (select max(id) ${isOf})`,
    ])
      await env.DB.prepare(sql).run()
    const rows = (await teacher.get(`/course/${course}/scoreboard?start=${first}`)).data
    const row = rows.find(
      ({ user }: { user: { username: string } }) => user.username === student.username,
    )
    expect(row.sum).toBe(best)
    const { studentStatus } = (await teacher.get(`/homework/${made.data.id}`)).data
    expect(studentStatus[student.username][problemId].score).toBe(best)
  }
})
