import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { historyStatements } from '../support/long-history.ts'
import { deliver, finishOperations } from '../support/step-queue.ts'
import { claim, emptyQueue, judgeAll, report, reportOf } from '../support/judge.ts'
import { allRows, firstValue, runSql } from '../support/sql.ts'
import {
  call,
  createPerson,
  createProblem,
  FITTING_ENTRIES,
  problemForm,
  registerRunner,
  submit,
  uploadZip,
} from '../support/world.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'

beforeEach(emptyQueue)

/** A problem with one accepted and two wrong submissions, oldest first. */
async function createJudgedProblem() {
  const world = await createProblem()
  const token = await registerRunner()
  const right = await submit(world.student, world.problemId)
  await judgeAll(token)
  const wrong = [
    await submit(world.student, world.problemId),
    await submit(world.student, world.problemId),
  ]
  await judgeAll(token, STATUS.WA)
  return { ...world, token, right, wrong }
}

/** The number of judgements of each of these submissions. */
async function judgementCounts(ids: string[]): Promise<number[]> {
  const rows = await allRows<{ n: number }>`
    select count(*) as n from judgements where submission_id in (select value from json_each(${JSON.stringify(ids)}))
    group by submission_id order by submission_id`
  return rows.map((row) => row.n)
}

describe('judging many again', () => {
  test('a problem’s submissions with a verdict are queued once each, behind live ones', async () => {
    const { ta, student, problemId, token, right, wrong } = await createJudgedProblem()
    const started = await ta.post(`/problem/${problemId}/rejudge`, { status: [STATUS.WA] })
    expect(started).toMatchObject({ status: 202, data: { count: 2 } })
    const { jobId } = started.data
    await Promise.all([1, 2].map(() => deliver({ v: 1, jobId })))
    await finishOperations(jobId)
    expect((await ta.get(`/jobs/${jobId}`)).data).toMatchObject({ done: 0, total: 2 })
    const live = await submit(student, problemId)
    expect(await judgeAll(token)).toEqual([live, ...wrong])
    await finishOperations(jobId)
    expect((await ta.get(`/jobs/${jobId}`)).data).toMatchObject({
      state: 'done',
      done: 2,
      total: 2,
      result: { count: 2 },
    })
    expect(await judgementCounts([right, ...wrong])).toEqual([1, 2, 2])
    const read = await student.get(`/submission/${wrong[0]}`)
    expect(read.data).toMatchObject({ status: 0, score: 100 })
    expect(read.data.judgements.map((entry: { status: number }) => entry.status)).toEqual([0, 1])
  })

  test('a bulk judgement names its rejudge, a live one and a single rejudge none', async () => {
    const { ta, student, problemId, token, right } = await createJudgedProblem()
    const named = async () => {
      const { rejudge, submissionId, lease, judgementId } = (await claim(token)).data
      await report(token, judgementId, reportOf(lease))
      return { rejudge, submissionId }
    }
    const live = await submit(student, problemId)
    expect(await named()).toEqual({ submissionId: live })
    await ta.post(`/submission/${right}/rejudge`)
    expect(await named()).toEqual({ submissionId: right })
    const { jobId } = (await ta.post(`/problem/${problemId}/rejudge`, {})).data
    await finishOperations(jobId)
    expect(await named()).toMatchObject({ rejudge: jobId })
  })

  test('without a status all of them are, over several chunks and problems', async () => {
    const { teacher, student, course, problemId } = await createProblem()
    const other = (await teacher.post('/problem/manage', { course, ...problemForm() })).data
    await uploadZip(teacher, other.problemId, FITTING_ENTRIES)
    const now = nowSeconds()
    for (const [id, count] of [
      [problemId, 230],
      [other.problemId, 120],
    ] as const) {
      const history = { userId: student.id, problemId: id, count, spacing: 60, now }
      await env.DB.batch(historyStatements(history).map((sql) => env.DB.prepare(sql)))
    }
    const problemIds = [problemId, other.problemId]
    const form = { courseName: course, name: 'all', start: 1, end: now + 100, problemIds }
    const homework = (await teacher.post('/homework', form)).data.id
    const { jobId, count } = (await teacher.post(`/homework/${homework}/rejudge`, {})).data
    expect(count).toBe(350)
    await finishOperations(jobId)
    const queued = await allRows`select submission_id from judgements where rejudge_id = ${jobId}`
    expect(new Set(queued.map((row) => row['submission_id'])).size).toBe(350)
    const changedCount = await firstValue`select count(*) from submissions
      where problem_id in (${problemId}, ${other.problemId}) and (status <> ${STATUS.CE} or score <> 0)`
    expect(changedCount).toBeGreaterThan(200)
    await runSql`update judgements set state = 'done', status = 2, finished_at = 1 where rejudge_id = ${jobId}`
    await finishOperations(jobId)
    expect((await teacher.get(`/jobs/${jobId}`)).data).toMatchObject({
      state: 'done',
      done: 350,
      result: { count: 350, changedCount },
    })
    const left = await allRows`select distinct status from submissions
      where problem_id in (${problemId}, ${other.problemId})`
    expect(left).toEqual([{ status: STATUS.CE }])
  })

  test('a homework’s are those to its problems since it began', async () => {
    const { teacher, ta, course, problemId, student } = await createProblem()
    const now = Math.floor(Date.now() / 1000)
    const submitAt = async (seconds: number) => {
      const id = await submit(student, problemId)
      await runSql`update submissions set accepted_at = ${seconds} where id = ${id}`
      return id
    }
    const before = await submitAt(now - 101)
    const first = await submitAt(now - 100)
    const later = await submit(student, problemId)
    await judgeAll(await registerRunner())
    const form = { courseName: course, markdown: '', problemIds: [problemId] }
    const past = await teacher.post('/homework', {
      ...form,
      name: 'one',
      start: now - 100,
      end: now + 100,
    })
    const future = await teacher.post('/homework', {
      ...form,
      name: 'two',
      start: now + 100,
      end: now + 200,
    })
    const path = `/homework/${past.data.id}/rejudge`
    const started = await ta.post(path, {})
    expect(started.data.count).toBe(2)
    await finishOperations(started.data.jobId)
    expect(await judgementCounts([before, first, later])).toEqual([1, 2, 2])
    expect((await ta.post(`/homework/${future.data.id}/rejudge`, {})).data.count).toBe(0)
    expect((await student.post(path, {})).status).toBe(403)
    expect((await call('POST', path, { as: await createPerson(1), json: {} })).code).toBe(
      'homework_not_found',
    )
  })

  test('a homework’s leave those from before its start as they are', async () => {
    const { teacher, ta, course, problemId, student } = await createProblem()
    const now = Math.floor(Date.now() / 1000)
    const history = { userId: student.id, problemId, count: 3, spacing: 60, now: now - 1000 }
    await env.DB.batch(historyStatements(history).map((sql) => env.DB.prepare(sql)))
    const earlier =
      await allRows`select id, status from submissions where problem_id = ${problemId}`
    const token = await registerRunner()
    const since = [await submit(student, problemId), await submit(student, problemId)]
    await judgeAll(token, STATUS.WA)
    const form = { courseName: course, name: 'one', problemIds: [problemId] }
    const made = await teacher.post('/homework', { ...form, start: now - 100, end: now + 100 })
    const started = await ta.post(`/homework/${made.data.id}/rejudge`, {})
    expect(started.data.count).toBe(since.length)
    await finishOperations(started.data.jobId)
    expect((await ta.get(`/jobs/${started.data.jobId}`)).data).toMatchObject({
      total: since.length,
    })
    expect(await judgeAll(token)).toEqual(since)
    const kept = await allRows`select id, status from submissions
      where problem_id = ${problemId} and id < ${since[0]}`
    expect(kept).toEqual(earlier)
  })

  test('a homework’s are chosen by when their code came, also in two steps', async () => {
    const { teacher, ta, course, problemId, student } = await createProblem()
    const start = Math.floor(Date.now() / 1000) + 60
    // Both first steps come before the start; the code comes a second before the start, or at it.
    const begun: string[] = []
    for (const acceptedAt of [start - 1, start]) {
      const claimed = await student.post('/submission', { problemId, languageType: 0 })
      const { submissionId } = claimed.data
      const body = new FormData()
      body.set('code', new File(['int main(){}'], 'main.c'))
      await call('PUT', `/submission/${submissionId}`, { as: student, body })
      await runSql`update submissions set accepted_at = ${acceptedAt} where id = ${submissionId}`
      begun.push(submissionId)
    }
    const token = await registerRunner()
    await judgeAll(token, STATUS.WA)
    const form = { courseName: course, name: 'one', problemIds: [problemId] }
    const made = await teacher.post('/homework', { ...form, start, end: start + 100 })
    const started = await ta.post(`/homework/${made.data.id}/rejudge`, {})
    expect(started.data.count).toBe(1)
    await finishOperations(started.data.jobId)
    expect(await judgeAll(token)).toEqual(begun.slice(1))
  })

  test('every Judge Error can be queued again: of a problem, or of all courses one is staff of', async () => {
    const { ta, student, problemId, token } = await createJudgedProblem()
    const other = await createJudgedProblem()
    await submit(student, problemId)
    await submit(other.student, other.problemId)
    await judgeAll(token, STATUS.JE)
    const requeue = (as: typeof ta, json: object) => as.post('/runners/requeue', json)
    expect((await requeue(ta, { status: 6 })).data.count).toBe(1)
    expect((await requeue(ta, { status: 6, problemId })).data.count).toBe(1)
    expect(await requeue(ta, { status: 6, problemId: other.problemId })).toMatchObject({
      status: 404,
      code: 'problem_not_found',
    })
    expect((await requeue(await createPerson(0), { status: 6 })).data.count).toBe(2)
    expect((await requeue(student, { status: 6 })).status).toBe(403)
    expect((await requeue(ta, { status: 1 })).status).toBe(400)
  })

  test('a submission in a language that is no more becomes a Judge Error at once, and the next one is taken [QF6]', async () => {
    const { student, ta, problemId, token } = await createJudgedProblem()
    const poisoned = await submit(student, problemId)
    const next = await submit(student, problemId)
    await runSql`update submissions set language_type = 9 where id = ${poisoned}`
    expect((await claim(token)).data.submissionId).toBe(next)
    const results = await allRows`select status, attempt, reason from judgements
        where submission_id = ${poisoned}`
    expect(results).toEqual([
      { status: 6, attempt: 1, reason: 'This judge has no language with the code 9 any more.' },
    ])
    const list = await ta.get(`/submission?problemId=${problemId}&status=6`)
    expect(list.status).toBe(200)
  })

  test('no verdict is judged again while its problem has no test data that fit', async () => {
    const { teacher, student, course, problemId, right } = await createJudgedProblem()
    const started = await teacher.post(`/problem/${problemId}/rejudge`, {})
    const form = (await teacher.get(`/problem/manage/${problemId}`)).data
    form.testCase[1].caseCount = 3
    await teacher.put(`/problem/manage/${problemId}`, form)
    const refused = { status: 409, code: 'no_test_data' }
    const post = (path: string, json: object = {}) => teacher.post(path, json)
    expect(await post(`/submission/${right}/rejudge`)).toMatchObject(refused)
    expect(await post(`/problem/${problemId}/rejudge`)).toMatchObject(refused)
    expect(await post('/runners/requeue', { status: 6, problemId })).toMatchObject(refused)
    const now = Math.floor(Date.now() / 1000)
    const homework = await post('/homework', {
      courseName: course,
      markdown: '',
      problemIds: [problemId],
      name: 'one',
      start: now - 100,
      end: now + 100,
    })
    expect((await post(`/homework/${homework.data.id}/rejudge`)).data.count).toBe(0)
    await finishOperations(started.data.jobId)
    const read = await student.get(`/submission/${right}`)
    expect(read.data).toMatchObject({ status: 0, score: 100 })
  })

  test('students, outsiders and guests rejudge nothing; unknown verdicts are refused', async () => {
    const { student, ta, problemId } = await createProblem()
    const path = `/problem/${problemId}/rejudge`
    expect((await student.post(path, {})).status).toBe(403)
    expect((await call('POST', path, { as: await createPerson(1), json: {} })).status).toBe(404)
    expect((await call('POST', path, { json: {} })).status).toBe(401)
    expect((await ta.post(path, { status: [-1] })).status).toBe(400)
  })
})
