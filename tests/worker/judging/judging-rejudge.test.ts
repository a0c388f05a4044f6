import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { STEPS } from '../../../worker/background/steps.ts'
import { rejudgeStep } from '../../../worker/features/judging/bulk-rejudge.ts'
import { deliver, finishOperations } from '../support/step-queue.ts'
import { claim, emptyQueue, judgeAll, report, reportOf } from '../support/judge.ts'
import { call, createPerson, createProblem, registerRunner, submit } from '../support/world.ts'

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

/** How many judgements each of these submissions has. */
async function judgementCounts(ids: string[]): Promise<number[]> {
  const rows = await env.DB.prepare(
    'select count(*) as n from judgements where submission_id in (select value from json_each(?)) group by submission_id order by submission_id',
  )
    .bind(JSON.stringify(ids))
    .all<{ n: number }>()
  return rows.results.map((row) => row.n)
}

describe('judging many again', () => {
  test('a problem’s submissions with a verdict are queued once each, behind live ones', async () => {
    const { ta, student, problemId, token, right, wrong } = await createJudgedProblem()
    const started = await call('POST', `/problem/${problemId}/rejudge`, {
      as: ta,
      json: { status: [STATUS.WA] },
    })
    expect(started).toMatchObject({ status: 202, data: { count: 2 } })
    const { jobId } = started.data
    await Promise.all([1, 2].map(() => deliver({ v: 1, jobId })))
    await finishOperations(jobId)
    expect((await call('GET', `/jobs/${jobId}`, { as: ta })).data).toEqual({
      state: 'done',
      done: 2,
      total: 2,
      result: { count: 2 },
    })
    const live = await submit(student, problemId)
    expect(await judgeAll(token)).toEqual([live, ...wrong])
    expect(await judgementCounts([right, ...wrong])).toEqual([1, 2, 2])
    const read = await call('GET', `/submission/${wrong[0]}`, { as: student })
    expect(read.data).toMatchObject({ status: 0, score: 100 })
    expect(read.data.judgements.map((entry: { status: number }) => entry.status)).toEqual([0, 1])
  })

  test('verdicts that do not occur cost no chunk', async () => {
    const { ta, problemId, right, wrong } = await createJudgedProblem()
    const { jobId } = (await call('POST', `/problem/${problemId}/rejudge`, { as: ta, json: {} }))
      .data
    let chunks = 0
    await deliver(
      { v: 1, jobId },
      {
        ...STEPS,
        rejudge: (context) => {
          chunks += 1
          return rejudgeStep(context)
        },
      },
    )
    // One for each of the two verdicts there are, one that finds nothing left.
    expect(chunks).toBe(3)
    expect(await judgementCounts([right, ...wrong])).toEqual([2, 2, 2])
    expect((await call('GET', `/jobs/${jobId}`, { as: ta })).data).toMatchObject({
      state: 'done',
      result: { count: 3 },
    })
  })

  test('a bulk judgement names the last bulk rejudge begun before it, a live one and a single rejudge none', async () => {
    const { ta, student, problemId, token, right } = await createJudgedProblem()
    const path = `/problem/${problemId}/rejudge`
    const start = async () => (await call('POST', path, { as: ta, json: {} })).data.jobId
    const named = async () => {
      const { rejudge, submissionId, lease, judgementId } = (await claim(token)).data
      await report(token, judgementId, reportOf(lease))
      return { rejudge, submissionId }
    }
    const live = await submit(student, problemId)
    expect(await named()).toEqual({ submissionId: live })
    await call('POST', `/submission/${right}/rejudge`, { as: ta })
    expect(await named()).toEqual({ submissionId: right })
    const first = await start()
    await finishOperations(first)
    expect(await named()).toEqual({ rejudge: first, submissionId: right })
    // Of two that overlap the later one counts, for both: nothing older is ever reused.
    const second = await start()
    await finishOperations(second)
    await judgeAll(token)
    const third = await start()
    const fourth = await start()
    await finishOperations(third)
    expect((await named()).rejudge).toBe(fourth)
  })

  test('without a status all of them are, and a chunk that runs again does nothing', async () => {
    const { teacher, problemId, right, wrong } = await createJudgedProblem()
    const started = await call('POST', `/problem/${problemId}/rejudge`, { as: teacher, json: {} })
    expect(started.data.count).toBe(3)
    const { jobId } = started.data
    const payload = await env.DB.prepare('select payload from jobs where id = ?')
      .bind(jobId)
      .first('payload')
    await finishOperations(jobId)
    await env.DB.prepare(
      "update jobs set state = 'running', finished_at = null, payload = ? where id = ?",
    )
      .bind(payload, jobId)
      .run()
    await finishOperations(jobId)
    expect((await call('GET', `/jobs/${jobId}`, { as: teacher })).data.state).toBe('done')
    expect(await judgementCounts([right, ...wrong])).toEqual([2, 2, 2])
  })

  test('a homework’s are those to its problems since it began', async () => {
    const { teacher, ta, course, problemId, student } = await createJudgedProblem()
    const now = Math.floor(Date.now() / 1000)
    const form = { courseName: course, markdown: '', problemIds: [problemId] }
    const past = await call('POST', '/homework', {
      as: teacher,
      json: { ...form, name: 'one', start: now - 100, end: now + 100 },
    })
    const future = await call('POST', '/homework', {
      as: teacher,
      json: { ...form, name: 'two', start: now + 100, end: now + 200 },
    })
    const path = `/homework/${past.data.id}/rejudge`
    expect((await call('POST', path, { as: ta, json: {} })).data.count).toBe(3)
    expect(
      (await call('POST', `/homework/${future.data.id}/rejudge`, { as: ta, json: {} })).data.count,
    ).toBe(0)
    expect((await call('POST', path, { as: student, json: {} })).status).toBe(403)
    expect((await call('POST', path, { as: await createPerson(1), json: {} })).code).toBe(
      'homework_not_found',
    )
  })

  test('every Judge Error can be queued again: of a problem, or of all courses one is staff of', async () => {
    const { ta, student, problemId, token } = await createJudgedProblem()
    const other = await createJudgedProblem()
    await submit(student, problemId)
    await submit(other.student, other.problemId)
    await judgeAll(token, STATUS.JE)
    const requeue = (as: typeof ta, json: object) => call('POST', '/runners/requeue', { as, json })
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

  test('a submission in a language that is no more becomes a Judge Error at once, and the next one is taken', async () => {
    const { student, ta, problemId, token } = await createJudgedProblem()
    const poisoned = await submit(student, problemId)
    const next = await submit(student, problemId)
    await env.DB.prepare('update submissions set language_type = 9 where id = ?')
      .bind(poisoned)
      .run()
    expect((await claim(token)).data.submissionId).toBe(next)
    const { results } = await env.DB.prepare(
      'select status, attempt, reason from judgements where submission_id = ?',
    )
      .bind(poisoned)
      .all()
    expect(results).toEqual([
      { status: 6, attempt: 1, reason: 'This judge has no language with the code 9 any more.' },
    ])
    const list = await call('GET', `/submission?problemId=${problemId}&status=6`, { as: ta })
    expect(list.status).toBe(200)
  })

  test('no verdict is judged again while its problem has no test data that fit', async () => {
    const { teacher, student, course, problemId, right } = await createJudgedProblem()
    const started = await call('POST', `/problem/${problemId}/rejudge`, { as: teacher, json: {} })
    const form = (await call('GET', `/problem/manage/${problemId}`, { as: teacher })).data
    form.testCase[1].caseCount = 3
    await call('PUT', `/problem/manage/${problemId}`, { as: teacher, json: form })
    const refused = { status: 409, code: 'no_test_data' }
    const post = (path: string, json: object = {}) => call('POST', path, { as: teacher, json })
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
    const read = await call('GET', `/submission/${right}`, { as: student })
    expect(read.data).toMatchObject({ status: 0, score: 100 })
  })

  test('students, outsiders and guests rejudge nothing; unknown verdicts are refused', async () => {
    const { student, ta, problemId } = await createProblem()
    const path = `/problem/${problemId}/rejudge`
    expect((await call('POST', path, { as: student, json: {} })).status).toBe(403)
    expect((await call('POST', path, { as: await createPerson(1), json: {} })).status).toBe(404)
    expect((await call('POST', path, { json: {} })).status).toBe(401)
    expect((await call('POST', path, { as: ta, json: { status: [-1] } })).status).toBe(400)
  })
})
