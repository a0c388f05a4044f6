/** Handing in, storing its result and reading pages about it read no more rows in D1 after a long history of submissions. */
import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { COUNT_LIMITS, REJUDGE } from '#contract/limits'
import { historyStatements } from '../support/long-history.ts'
import { recordingD1 } from '../../../scripts/bench/worker/recording-d1.ts'
import { ATTEMPTS } from '../../../worker/db/problem-results.ts'
import { openDb } from '../../../worker/db/client.ts'
import { deleteLeft } from '../../../worker/features/judging/rejudge/outcome-queries.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { claim, emptyQueue, reportOf } from '../support/judge.ts'
import { recordCall } from '../support/round-trips-recorder.ts'
import { runSql } from '../support/sql.ts'
import { deliver, workerEnv } from '../support/step-queue.ts'
import {
  addMember,
  call,
  createPerson,
  createProblem,
  FITTING_ENTRIES,
  problemForm,
  registerRunner,
  submit,
  uploadZip,
  type CallOptions,
} from '../support/world.ts'

beforeEach(emptyQueue)

/** The most rows that handing in or storing a result may read, and their growth from no submissions to many. */
const MOST = { rows: 60, more: 1.1 } as const

/** The permitted rate of handing in: one submission in this many seconds. */
const SPACING = 2

/** Rows that some work reads in D1. */
async function rowsOfWork(work: (db: D1Database) => Promise<unknown>): Promise<number> {
  const { db, trips } = recordingD1(workerEnv.DB)
  await work(db)
  return trips.reduce((sum, trip) => sum + trip.rowsRead, 0)
}

/** Rows that a call reads in D1. */
async function rowsOf(method: string, path: string, options: CallOptions): Promise<number> {
  const { status, text, trips } = await recordCall(method, path, options)
  expect(status, text).toBe(200)
  return trips.reduce((sum, trip) => sum + trip.rowsRead, 0)
}

/** A homework with one problem, to which its one student has handed in `count` times, just now for the last time. */
async function createHistory(count: number, form: Record<string, unknown> = {}) {
  const world = await createProblem(form)
  const { course, teacher, student, problemId } = world
  const now = nowSeconds()
  const statements = historyStatements({
    userId: student.id,
    problemId,
    count,
    spacing: SPACING,
    now,
  })
  if (count > 0) await env.DB.batch(statements.map((sql) => env.DB.prepare(sql)))
  const [start, end] = [now - count * SPACING, now + 1000]
  const homework = { name: 'H', courseName: course, start, end, problemIds: [problemId] }
  await teacher.post('/homework', homework)
  return { ...world, window: `start=${start}&end=${end}` }
}
type LongHistory = Awaited<ReturnType<typeof createHistory>>

/** Rows of one more submission, and of its result. */
async function rowsOfHandIn({ student, problemId }: LongHistory, token: string) {
  const json = { problemId, languageType: 0, code: 'int main(){}' }
  const handIn = await rowsOf('POST', '/submission', { as: student, json })
  const { judgementId, lease } = (await claim(token)).data
  const path = `/runner/jobs/${judgementId}/result`
  return { handIn, result: await rowsOf('PUT', path, { token, json: reportOf(lease) }) }
}

/** Rows that the pages about a course read, by path. */
async function rowsOfPages({ course, teacher, student, problemId, window }: LongHistory) {
  const pages = [
    [student, '/problem?course=COURSE'],
    [student, '/problem/PROBLEM'],
    [student, '/submission?limit=5'],
    [teacher, '/submission?limit=5&offset=20&course=COURSE'],
    [teacher, '/problem/PROBLEM/stats'],
    [teacher, '/course/COURSE/scoreboard'],
    [teacher, `/course/COURSE/scoreboard?${window}`],
    [teacher, '/course/COURSE/homework?progress=own'],
    [teacher, '/course/COURSE/homework'],
    [student, '/homework'],
  ] as const
  const rows: [path: string, rows: number][] = []
  for (const [as, name] of pages) {
    const path = name.replace('COURSE', course).replace('PROBLEM', String(problemId))
    rows.push([name.replace(window, 'window'), await rowsOf('GET', path, { as })])
  }
  return Object.fromEntries(rows)
}

test('a hand-in and its result read as much after ten thousand hand-ins as after none', async () => {
  const token = await registerRunner()
  const first = await rowsOfHandIn(await createHistory(0), token)
  for (const rows of Object.values(first)) expect(rows).toBeGreaterThan(0)
  for (const count of [1, ATTEMPTS.kept, 1_000, 10_000]) {
    const later = await rowsOfHandIn(await createHistory(count), token)
    expect(later.handIn, `hand-in ${count}`).toBeLessThanOrEqual(
      Math.min(MOST.rows, MOST.more * first.handIn),
    )
    expect(later.result, `result ${count}`).toBeLessThanOrEqual(
      Math.min(MOST.rows, MOST.more * first.result),
    )
  }
})

test('a hand-in reads as much whatever the quota is and however much of it is used', async () => {
  const token = await registerRunner()
  const quota = 10_000
  const first = await rowsOfHandIn(await createHistory(0, { quota }), token)
  for (const count of [30, 9_000]) {
    const later = await rowsOfHandIn(await createHistory(count, { quota }), token)
    for (const [name, rows] of Object.entries(later))
      expect(rows, `${name} ${count}`).toBeLessThanOrEqual(
        Math.min(MOST.rows, MOST.more * first[name as 'handIn' | 'result']),
      )
  }
})

test('no page reads more after ten thousand hand-ins than it shows', async () => {
  const thousand = await rowsOfPages(await createHistory(ATTEMPTS.read))
  expect(await rowsOfPages(await createHistory(10 * ATTEMPTS.read))).toEqual(thousand)
  for (const [path, rows] of Object.entries(thousand))
    // Pages that show each attempt read it; other pages read at most a page of a list.
    expect(rows, path).toBeLessThan(/window|homework$/.test(path) ? ATTEMPTS.read + 60 : 100)
})

/** Rows of a rejudge of `count` results: per result for queueing and applying it, and for a sweep meanwhile. */
async function rowsOfRejudge(count: number) {
  const { teacher, problemId } = await createHistory(count)
  const started = await teacher.post(`/problem/${problemId}/rejudge`, {})
  const { jobId } = started.data
  const run = () => rowsOfWork((DB) => deliver({ v: 1, jobId }, {}, { ...workerEnv, DB }))
  const sweep = () => rowsOfWork(async (db) => void (await deleteLeft(openDb(db))))
  const queue = await run()
  const judging = await sweep()
  await runSql`update judgements set state = 'done', status = 0, finished_at = 1
    where finished_at is null`
  const apply = await run()
  expect((await teacher.get(`/jobs/${jobId}`)).data).toMatchObject({ state: 'done', done: count })
  return { queue: queue / count, judging, apply: apply / count }
}

test('how many results are of earlier test data is counted up to a bound, and not beside a rejudge', async () => {
  const counted = REJUDGE.mostCounted
  const { teacher, problemId } = await createHistory(3 * counted)
  await uploadZip(teacher, problemId, FITTING_ENTRIES)
  const path = `/problem/${problemId}/rejudge`
  expect((await teacher.get(path)).data).toEqual({ earlierCount: counted, jobId: null })
  // Each result has a submission and a judgement.
  expect(await rowsOf('GET', path, { as: teacher })).toBeLessThan(2 * counted + 60)
  await teacher.post(path, { apply: false })
  expect(await rowsOf('GET', path, { as: teacher })).toBeLessThan(60)
})

test('a rejudge reads as much for each of its results, and a sweep as much, however many they are', async () => {
  const few = await rowsOfRejudge(100)
  const many = await rowsOfRejudge(1_000)
  for (const [name, rows] of Object.entries(many))
    expect(rows, name).toBeLessThanOrEqual(MOST.more * few[name as keyof typeof few])
})

test('what a list of homeworks reads grows with the people only where it shows them', async () => {
  const { course, teacher, problemId } = await createHistory(0)
  const problemIds = [problemId]
  for (let count = 0; count < 3; count += 1) {
    const json = { course, ...problemForm() }
    problemIds.push((await teacher.post('/problem/manage', json)).data.problemId)
  }
  const homework = { name: 'All', courseName: course, start: 1, end: 2 ** 31, problemIds }
  await teacher.post('/homework', homework)
  const rows = async (query: string) =>
    rowsOf('GET', `/course/${course}/homework${query}`, { as: teacher })
  const [all, own] = [await rows(''), await rows('?progress=own')]
  const people = 6
  for (let count = 0; count < people; count += 1) {
    const { id, username } = await createPerson(2)
    const add = [{ user: username, role: 'student' }]
    await teacher.patch(`/course/${course}/members`, { add })
    for (const problem of problemIds)
      for (const sql of historyStatements({
        userId: id,
        problemId: problem,
        count: 3,
        spacing: 60,
        now: nowSeconds(),
      }))
        await env.DB.prepare(sql).run()
  }
  expect(await rows('?progress=own')).toBe(own)
  // One row for each person and problem of the two homeworks, two rows for a name, and one more at the end of a problem's range.
  const shown = people * (problemIds.length + 1 + 2)
  expect((await rows('')) - all).toBeGreaterThanOrEqual(shown)
  expect((await rows('')) - all).toBeLessThanOrEqual(shown + problemIds.length + 1)
})

test('the questions of a course read as much however many there are', async () => {
  const world = await createProblem()
  const { course, teacher, student, problemId } = world
  const classmate = await createPerson(2)
  await addMember(world, classmate)
  let made = 0
  const rows = async (upTo: number) => {
    // A third of the questions are the classmate's; most are resolved.
    await env.DB.prepare(
      `with recursive c(n) as (values(${made}) union all select n + 1 from c where n + 1 < ${upTo})
      insert into questions (id, course_id, problem_id, student_id, state, unread, created_at, updated_at)
      select printf('%012x%012x', n, ${problemId}), course_id, id, iif(n % 3, ${student.id}, ${classmate.id}),
        iif(n % 4, 'resolved', iif(n % 8, 'open', 'answered')), n % 5 = 0, n, n from c, problems where id = ${problemId}`,
    ).run()
    made = upTo
    const found: Record<string, number> = {}
    for (const [as, query] of [
      [teacher, ''],
      [teacher, '&state=resolved'],
      [teacher, `&problemId=${problemId}`],
      [student, ''],
    ] as const) {
      const first = `/course/${course}/questions?limit=5${query}`
      const { next } = (await as.get(first)).data
      found[`${as === teacher}${query}`] = await rowsOf('GET', first, { as })
      found[`${as === teacher}${query} next`] = await rowsOf('GET', `${first}&cursor=${next}`, {
        as,
      })
    }
    for (const as of [teacher, student])
      for (const path of ['/course', `/course/${course}`])
        found[`${as === teacher} ${path}`] = await rowsOf('GET', path, { as })
    return found
  }
  // At this number the badges have stopped counting.
  const many = await rows(10 * COUNT_LIMITS.waitingQuestions)
  expect(await rows(100 * COUNT_LIMITS.waitingQuestions)).toEqual(many)
  for (const [path, count] of Object.entries(many))
    expect(count, path).toBeLessThan(/course/.test(path) ? 2 * COUNT_LIMITS.waitingQuestions : 60)
})

test('a guest who asks for the health reads as much however many jobs wait', async () => {
  const { student, problemId } = await createProblem()
  const submissionId = await submit(student, problemId)
  const ranks = 30
  const queueJobs = (count: number) => runSql`
    with recursive c(n) as (values(0) union all select n + 1 from c where n + 1 < ${count})
    insert into judgements (id, submission_id, state, priority, rank, queued_at, ticket_at, phase, cases_total)
    select printf('e%023x', (select count(*) from judgements) + n), ${submissionId}, 'queued', n % 2, n % ${ranks},
      ${nowSeconds() - 100}, 1, 'queued', 2 from c`
  await queueJobs(2 * ranks)
  const few = await rowsOf('GET', '/health', {})
  expect(few).toBeLessThan(4 * ranks)
  await queueJobs(20_000)
  expect(await rowsOf('GET', '/health', {})).toBe(few)
  const { data } = await call('GET', '/health')
  expect(data.oldestSeconds).toBeGreaterThanOrEqual(100)
})
