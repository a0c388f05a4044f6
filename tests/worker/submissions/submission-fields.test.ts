/** Every field of a submission on its page, in lists and in rows, beside other submissions. */
import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { historyStatements } from '../support/long-history.ts'
import { sweep } from '../../../worker/background/sweep.ts'
import { ATTEMPTS } from '../../../worker/db/problem-results.ts'
import { openDb } from '../../../worker/db/client.ts'
import { getSubmission, HISTORY_LENGTH } from '../../../worker/features/submissions/queries.ts'
import {
  CLAIMED_SUBMISSION_SECONDS,
  SOURCE_BUDGET,
} from '../../../worker/features/submissions/target-queries.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { newHexId } from '../../../worker/lib/ids.ts'
import { useUp } from '../support/buckets.ts'
import { claim, emptyQueue, judgeAll, outputOf, report, reportOf } from '../support/judge.ts'
import { allRows, firstRow, firstValue, numbersBelow, runSql } from '../support/sql.ts'
import { workerEnv } from '../support/step-queue.ts'
import {
  addStudents,
  call,
  createProblem,
  FITTING_ENTRIES,
  problemForm,
  registerRunner,
  submit,
  uploadZip,
  type Person,
} from '../support/world.ts'

beforeEach(emptyQueue)

const CODE = 'int main(){}'

/** Adds a problem with test data to a course. */
async function addProblem(
  { course, teacher }: { course: string; teacher: Person },
  changes: Record<string, unknown> = {},
): Promise<number> {
  const made = await teacher.post('/problem/manage', { course, ...problemForm(changes) })
  await uploadZip(teacher, made.data.problemId, FITTING_ENTRIES)
  return made.data.problemId
}

const handIn = (as: Person, problemId: number) =>
  as.post('/submission', { problemId, languageType: 0, code: CODE })

test('a page and a line of a list have each field, while it waits and once it is judged, twice', async () => {
  const world = await createProblem()
  const { course, ta, student, problemId } = world
  await submit(student, await addProblem(world, { problemName: 'Other' }))
  await emptyQueue()
  const token = await registerRunner()
  const headers = { 'CF-Connecting-IP': '192.0.2.7' }
  const json = { problemId, languageType: 1, code: CODE }
  const id = (await student.post('/submission', json, headers)).data.submissionId
  // The code came five seconds later.
  await runSql`update submissions set accepted_at = accepted_at + 5 where id = ${id}`
  const row = () => firstRow<Record<string, number>>`select * from submissions where id = ${id}`
  const judgements = () =>
    allRows<
      Record<string, number>
    >`select * from judgements where submission_id = ${id} order by id desc`
  const { created_at: timestamp } = (await row()) ?? {}
  const version = await firstValue`select test_data_version from problems where id = ${problemId}`
  const item = {
    submissionId: id,
    problemId,
    problemName: 'A plus B',
    course,
    user: { username: student.username, displayedName: `The ${student.username}`, role: 2 },
    status: STATUS.PENDING,
    score: 0,
    runTime: null,
    memoryUsage: null,
    languageType: 1,
    timestamp,
  }
  const more = {
    code: CODE,
    sampleTasks: [0],
    hasOutputs: true,
    taskScores: [0, 100],
    tryNumber: 1,
  }
  const [waiting] = await judgements()
  const summary = {
    judgementId: waiting?.['id'],
    state: 'queued',
    status: STATUS.PENDING,
    score: 0,
    runTime: null,
    memoryUsage: null,
    queuedAt: waiting?.['queued_at'],
    finishedAt: null,
    testDataVersion: null,
  }
  const page = async (as: Person) => (await as.get(`/submission/${id}`)).data
  const line = async (as: Person) =>
    (await as.get(`/submission?problemId=${problemId}`)).data.submissions
  const progress = { phase: 'queued', done: 0, total: 3, position: 1, estimateSeconds: 2 }
  const unjudged = { tasks: null, compileMessage: null, progress }
  expect(await page(student)).toEqual({
    ...item,
    ...more,
    ...unjudged,
    judgements: [summary],
    canRejudge: false,
    given: [],
    hints: [],
  })
  expect(await page(ta)).toEqual({
    ...item,
    ...more,
    ...unjudged,
    ipAddr: '192.0.2.7',
    judgements: [{ ...summary, reason: null }],
    canRejudge: true,
    given: [],
    hints: [],
    mistake: null,
  })
  expect(await line(student)).toEqual([item])
  expect(await line(ta)).toEqual([{ ...item, ipAddr: '192.0.2.7' }])

  const job = (await claim(token)).data
  const result = { ...reportOf(job.lease, STATUS.CE), compileMessage: 'no', reason: 'for staff' }
  await report(token, job.judgementId, result)
  await ta.post(`/submission/${id}/rejudge`)
  const again = (await claim(token)).data
  const accepted = reportOf(again.lease)
  await report(token, again.judgementId, accepted)
  await runSql`update judgements set queued_at = queued_at + 10, finished_at = finished_at + 20 where id = ${again.judgementId}`
  const [newest, oldest] = await judgements()
  const judged = { status: STATUS.AC, score: 100, runTime: 3, memoryUsage: 900 }
  const histories = [
    {
      ...summary,
      ...judged,
      judgementId: again.judgementId,
      state: 'done',
      queuedAt: newest?.['queued_at'],
      finishedAt: newest?.['finished_at'],
      testDataVersion: version,
    },
    {
      ...summary,
      status: STATUS.CE,
      state: 'done',
      finishedAt: oldest?.['finished_at'],
      testDataVersion: version,
    },
  ]
  const done = { tasks: accepted.tasks, compileMessage: null, progress: null }
  expect(await page(student)).toEqual({
    ...item,
    ...judged,
    ...more,
    ...done,
    judgements: histories,
    canRejudge: false,
    given: [],
    hints: [],
  })
  expect((await page(ta)).judgements).toEqual([
    { ...histories[0], reason: null },
    { ...histories[1], reason: 'for staff' },
  ])
  expect(await line(student)).toEqual([{ ...item, ...judged }])

  await uploadZip(world.teacher, problemId, { ...FITTING_ENTRIES, '0000.in': 'newer' })
  expect(await page(student)).toMatchObject({ sampleTasks: [], taskScores: null })
})

test('what a case printed comes with the size of each stream', async () => {
  const { ta, student, problemId } = await createProblem()
  const token = await registerRunner()
  const id = await submit(student, problemId)
  const old = (await claim(token)).data
  const first = outputOf({ task: 1, stdout: 'before' })
  await report(token, old.judgementId, reportOf(old.lease, STATUS.WA, [first]))
  await ta.post(`/submission/${id}/rejudge`)
  const job = (await claim(token)).data
  const output = {
    ...outputOf({ task: 1, stdout: 'out', expected: 'right' }),
    stderr: Buffer.from('err').toString('base64'),
    stdoutSize: 30,
    stderrSize: 40,
    expectedSize: 50,
  }
  await report(token, job.judgementId, reportOf(job.lease, STATUS.WA, [output]))
  expect((await ta.get(`/submission/${id}/output/1/0`)).data).toEqual({
    input: '2 2\n',
    inputSize: 4,
    stdout: 'out',
    stdoutSize: 30,
    stderr: 'err',
    stderrSize: 40,
    expected: 'right',
    expectedSize: 50,
  })
})

test('a quota is each person’s at each problem, and none of staff', async () => {
  const world = await createProblem({ quota: 1 })
  const { ta, student, problemId } = world
  const [classmate] = await addStudents(world, 1)
  if (!classmate) throw new Error('there is no classmate')
  const other = await addProblem(world, { quota: 1 })
  const day = 86_400
  const resetAt = (Math.floor(nowSeconds() / day) + 1) * day
  for (const [as, id] of [
    [student, problemId],
    [student, other],
    [classmate, problemId],
  ] as const) {
    expect((await handIn(as, id)).status).toBe(200)
    expect(await handIn(as, id)).toMatchObject({ code: 'quota_exceeded', data: { resetAt } })
    expect((await as.get(`/problem/${id}`)).data.quotaUsed).toBe(1)
  }
  for (const _time of [1, 2]) expect((await handIn(ta, problemId)).status).toBe(200)
  expect((await ta.get(`/problem/${problemId}`)).data).toMatchObject({
    quotaUsed: 0,
    submitCount: 2,
  })
  const claimed = (await ta.post('/submission', { problemId, languageType: 0 })).data.submissionId
  const body = new FormData()
  body.set('code', new File([CODE], 'main.c'))
  await useUp(`source:user:${ta.id}`, SOURCE_BUDGET)
  expect((await call('PUT', `/submission/${claimed}`, { as: ta, body })).status).toBe(200)
  const uses = await allRows`select user_id as id, sum(quota_used) as uses from submissions
    where problem_id = ${problemId} group by user_id order by user_id`
  expect(uses).toEqual(
    [ta, student, classmate].map(({ id }) => ({ id, uses: id === ta.id ? 0 : 1 })),
  )
})

test('code that came today counts for today, also where its first step was before midnight', async () => {
  const { student, problemId } = await createProblem({ quota: 2 })
  expect((await handIn(student, problemId)).status).toBe(200)
  const midnight = Math.floor(nowSeconds() / 86_400) * 86_400
  const id = newHexId((midnight - 300) * 1_000)
  await runSql`insert into submissions (id, problem_id, course_id, user_id, language_type, status, quota_used, ip, created_at, accepted_at)
    select ${id}, problem_id, course_id, user_id, 0, 1, 1, '', ${midnight - 300}, ${midnight + 1}
    from submissions where problem_id = ${problemId}`
  // Makes the summary count anew.
  await runSql`update problem_results set quota_since = 0, quota_uses = 0 where problem_id = ${problemId}`
  expect((await handIn(student, problemId)).code).toBe('quota_exceeded')
  expect((await student.get(`/problem/${problemId}`)).data.quotaUsed).toBe(2)
})

test('a program waits behind as many as its own student has handed in within ten minutes', async () => {
  const world = await createProblem()
  const { student, problemId } = world
  const [classmate, veteran] = await addStudents(world, 2)
  if (!classmate || !veteran) throw new Error('there are no classmates')
  const other = await addProblem(world)
  // The two were handed in seven and fourteen minutes ago.
  const history = { userId: veteran.id, problemId, count: 2, spacing: 420, now: nowSeconds() }
  await env.DB.batch(historyStatements(history).map((sql) => env.DB.prepare(sql)))
  const ids = [
    await submit(student, problemId),
    await submit(classmate, problemId),
    await submit(student, other),
    await submit(classmate, problemId),
    await submit(student, problemId),
    await submit(veteran, other),
  ]
  const ranks =
    await allRows`select judgements.rank, priority, course_id as course, user_id as person, rejudge_id as rejudge
    from judgements where submission_id in (select value from json_each(${JSON.stringify(ids)})) order by id`
  const course = await firstValue`select course_id from problems where id = ${problemId}`
  const rowOf = (rank: number, { id: person }: Person) => ({
    rank,
    priority: 0,
    course,
    person,
    rejudge: null,
  })
  expect(ranks).toEqual([
    rowOf(0, student),
    rowOf(0, classmate),
    rowOf(1, student),
    rowOf(1, classmate),
    rowOf(2, student),
    rowOf(1, veteran),
  ])
})

test(`a page shows the ${HISTORY_LENGTH} newest judgements, and how many tries there were where they are few`, async () => {
  const { ta, student, problemId } = await createProblem()
  const history = { userId: student.id, problemId, count: ATTEMPTS.kept - 1, spacing: 60 }
  await env.DB.batch(
    historyStatements({ ...history, now: nowSeconds() }).map((sql) => env.DB.prepare(sql)),
  )
  const [last, tooMany] = [await submit(student, problemId), await submit(student, problemId)]
  const tries = async (id: string) => (await student.get(`/submission/${id}`)).data.tryNumber
  expect([await tries(last), await tries(tooMany)]).toEqual([null, null])
  await runSql`insert into judgements (id, submission_id, state, priority, rank, queued_at, ticket_at, phase, cases_total, finished_at, status)
    select printf('%024x', value), ${last}, 'done', 0, 0, value, 0, 'running', 3, 1, 1 from json_each(${numbersBelow(60)})`
  const { judgements } = (await ta.get(`/submission/${last}`)).data
  expect(judgements).toHaveLength(HISTORY_LENGTH)
  expect(judgements.at(-1).queuedAt).toBe(60 - HISTORY_LENGTH + 1)
})

test('the last try that is counted is told', async () => {
  const { student, problemId } = await createProblem()
  const history = { userId: student.id, problemId, count: ATTEMPTS.kept - 1, spacing: 60 }
  await env.DB.batch(
    historyStatements({ ...history, now: nowSeconds() }).map((sql) => env.DB.prepare(sql)),
  )
  const id = await submit(student, problemId)
  expect((await student.get(`/submission/${id}`)).data.tryNumber).toBe(ATTEMPTS.kept)
})

test('a first step whose second never comes goes after its ten minutes, and nothing else does', async () => {
  const { student, problemId } = await createProblem()
  await submit(student, problemId)
  const claimed = await student.post('/submission', { problemId, languageType: 0 })
  expect((await student.get(`/submission/${claimed.data.submissionId}`)).status).toBe(404)
  for (const query of [`problemId=${problemId}`, 'status=-1', ''])
    expect((await student.get(`/submission?${query}`)).data.submissions).toHaveLength(1)
  const left = async (seconds: number) => {
    await sweep(workerEnv, nowSeconds() + seconds)
    return (await allRows`select status from submissions where problem_id = ${problemId}`).map(
      ({ status }) => status,
    )
  }
  expect((await left(CLAIMED_SUBMISSION_SECONDS - 30)).toSorted()).toEqual([-1, -2])
  expect(await left(CLAIMED_SUBMISSION_SECONDS + 30)).toEqual([STATUS.PENDING])
})

test('the queue before a submission is what goes first by priority, rank and id', async () => {
  const world = await createProblem()
  const { student, problemId } = world
  const others = await addStudents(world, 3)
  await judgeAll(await registerRunner())
  const ids: string[] = []
  for (const as of [student, ...others]) ids.push(await submit(as, problemId))
  const [own, bulk, early, leased] = ids
  await runSql`update judgements set priority = 1 where submission_id = ${bulk}`
  await runSql`update judgements set rank = 1 where submission_id = ${own}`
  await runSql`update judgements set lease_until = ${nowSeconds() + 60}, state = 'leased' where submission_id = ${leased}`
  const db = openDb(env.DB)
  const position = async (id: string | undefined) => {
    const user = {
      ...student,
      displayedName: '',
      role: 0,
      email: '',
      emailConfirmedAt: 1,
      confirmDueAt: null,
      bio: '',
    } as const
    const page = await getSubmission(db, user, id ?? '', nowSeconds())
    return page?.history[0]?.position
  }
  expect([await position(early), await position(own), await position(bulk)]).toEqual([1, 2, 3])
})
