import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { JUDGING } from '#contract/limits'
import { STATUS } from '#contract/verdicts'
import { sweep } from '../../../worker/background/sweep.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import {
  claim,
  createClaimedJob,
  emptyQueue,
  expireLeases,
  outputOf,
  report,
  reportOf,
} from '../support/judge.ts'
import { runSql } from '../support/sql.ts'
import {
  addMember,
  call,
  createPerson,
  createProblem,
  fetchApi,
  FITTING_ENTRIES,
  registerRunner,
  submit,
  uploadZip,
} from '../support/world.ts'

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

beforeEach(emptyQueue)

describe('a job from queue to verdict', () => {
  test('the claim carries source, limits and test data, the result ends the submission', async () => {
    const { student, problemId } = await createProblem()
    const token = await registerRunner()
    const id = await submit(student, problemId, 'int main(){}\r\n')
    const job = await claim(token)
    expect(job.data).toMatchObject({
      submissionId: id,
      attempt: 1,
      language: 'c',
      source: base64('int main(){}\r\n'),
    })
    expect(job.data.tasks.map((subtask: { caseCount: number }) => subtask.caseCount)).toEqual([
      1, 2,
    ])
    const zip = await fetchApi('GET', job.data.testData.url.replace('/api', ''), { token })
    expect((await zip.arrayBuffer()).byteLength).toBe(job.data.testData.size)

    const path = `/runner/jobs/${job.data.judgementId}`
    const progress = { lease: job.data.lease, phase: 'running', done: 2, total: 3 }
    expect((await call('POST', `${path}/progress`, { token, json: progress })).status).toBe(200)
    const during = await student.get(`/submission/${id}`)
    expect(during.data.progress).toEqual({ phase: 'running', done: 2, total: 3 })

    expect(
      (await call('PUT', `${path}/result`, { token, json: reportOf(job.data.lease) })).status,
    ).toBe(200)
    const after = await student.get(`/submission/${id}`)
    expect(after.data).toMatchObject({
      status: 0,
      score: 100,
      runTime: 3,
      memoryUsage: 900,
      progress: null,
    })
    expect(after.data.tasks[1].cases).toHaveLength(2)
    expect((await claim(token)).status).toBe(204)
  })

  test('the same result again changes nothing, a stale lease is refused [QF5]', async () => {
    const { student, token, id, job: slow } = await createClaimedJob()
    await expireLeases()
    const other = await registerRunner()
    const quick = (await claim(other)).data
    expect(quick.attempt).toBe(2)
    const path = `/runner/jobs/${slow.judgementId}/result`
    const put = (as: string, json: object) => call('PUT', path, { token: as, json })
    expect((await put(other, reportOf(quick.lease))).status).toBe(200)
    const wrong = { ...reportOf(slow.lease), status: STATUS.WA, score: 0 }
    for (const answer of [await put(token, wrong), await put(other, wrong)])
      expect(answer).toMatchObject({ status: 409, code: 'stale_lease' })
    expect((await put(other, { ...reportOf(quick.lease), score: 1 })).status).toBe(200)
    expect((await student.get(`/submission/${id}`)).data).toMatchObject({ status: 0, score: 100 })
  })

  test('the same result sent three times gets the same answer and changes nothing [QF5]', async () => {
    const { student, token, id, job } = await createClaimedJob()
    const send = () => report(token, job.judgementId, reportOf(job.lease))
    const { headers: _first, ...first } = await send()
    expect(first.status).toBe(200)
    const stored = (await student.get(`/submission/${id}`)).data
    for (let time = 0; time < 2; time += 1) {
      const { headers: _again, ...again } = await send()
      expect(again).toEqual(first)
    }
    expect((await student.get(`/submission/${id}`)).data).toEqual(stored)
  })

  test('the same result sent several times at once is taken every time', async () => {
    const { student, problemId } = await createProblem()
    const token = await registerRunner()
    await submit(student, problemId)
    const job = (await claim(token)).data
    const path = `/runner/jobs/${job.judgementId}/result`
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => call('PUT', path, { token, json: reportOf(job.lease) })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  })

  test('twenty runners at once get each job once', async () => {
    const { student, problemId } = await createProblem()
    const token = await registerRunner()
    for (let count = 0; count < 5; count += 1) await submit(student, problemId)
    const claims = await Promise.all(Array.from({ length: 20 }, () => claim(token)))
    const taken = claims
      .filter((answer) => answer.status === 200)
      .map((answer) => answer.data.judgementId)
    expect(taken).toHaveLength(5)
    expect(new Set(taken).size).toBe(5)
  })

  test('who has submitted little lately comes before who has submitted much', async () => {
    const { student, teacher, course, problemId } = await createProblem()
    const other = await createPerson(2)
    await addMember({ course, teacher }, other)
    const first = await submit(student, problemId)
    const second = await submit(student, problemId)
    const late = await submit(other, problemId)
    const token = await registerRunner()
    const order = [await claim(token), await claim(token), await claim(token)].map(
      (answer) => answer.data.submissionId,
    )
    expect(order).toEqual([first, late, second])
  })

  test('three attempts without a result end as Judge Error with a reason for staff, and give the quota back [QF6]', async () => {
    const { student, teacher, problemId } = await createProblem({ quota: 1 })
    const id = await submit(student, problemId)
    for (let attempt = 1; attempt <= JUDGING.maxAttempts; attempt += 1) {
      expect((await claim(await registerRunner())).data.attempt).toBe(attempt)
      await expireLeases()
    }
    expect((await claim(await registerRunner())).status).toBe(204)
    await sweep(env as never, nowSeconds())
    const seen = await teacher.get(`/submission/${id}`)
    expect(seen.data).toMatchObject({
      status: 6,
      judgements: [{ reason: expect.stringContaining('3 attempts') }],
    })
    expect((await student.get(`/submission/${id}`)).data.judgements[0]).not.toHaveProperty('reason')
    await submit(student, problemId)
  })

  test('a third attempt that is still running is left alone by the sweeper, and its result counts', async () => {
    const { student, problemId } = await createProblem()
    const id = await submit(student, problemId)
    for (let attempt = 1; attempt < JUDGING.maxAttempts; attempt += 1) {
      await claim(await registerRunner())
      await expireLeases()
    }
    const token = await registerRunner()
    const { judgementId, lease, attempt } = (await claim(token)).data
    expect(attempt).toBe(JUDGING.maxAttempts)
    await sweep(env as never, nowSeconds())
    expect((await report(token, judgementId, reportOf(lease))).status).toBe(200)
    expect((await student.get(`/submission/${id}`)).data.status).toBe(STATUS.AC)
  })

  test('a Judge Error gives the quota back, any other verdict does not', async () => {
    const { student, problemId } = await createProblem({ quota: 5 })
    const token = await registerRunner()
    const quotaUsed = async () => (await student.get(`/problem/${problemId}`)).data.quotaUsed
    const used: number[] = []
    for (const status of [STATUS.JE, STATUS.WA]) {
      await submit(student, problemId)
      used.push(await quotaUsed())
      const { judgementId, lease } = (await claim(token)).data
      await report(token, judgementId, { ...reportOf(lease, status), reason: 'broken' })
      used.push(await quotaUsed())
    }
    expect(used).toEqual([1, 0, 1, 1])
  })

  test('a drained job may be taken again at once and has lost no attempt', async () => {
    const { student, problemId } = await createProblem()
    const token = await registerRunner()
    await submit(student, problemId)
    const job = (await claim(token)).data
    const release = { lease: job.lease, drained: true, reason: null }
    expect(
      (await call('POST', `/runner/jobs/${job.judgementId}/release`, { token, json: release }))
        .status,
    ).toBe(200)
    expect((await claim(await registerRunner())).data.attempt).toBe(1)
  })

  test('a heartbeat extends the leases it names and no others', async () => {
    const { student, problemId } = await createProblem()
    const token = await registerRunner()
    await submit(student, problemId)
    await submit(student, problemId)
    const [kept, left] = [(await claim(token)).data, (await claim(token)).data]
    await expireLeases()
    const beat = { active: [kept.judgementId], slots: 2, free: 0, load: 0.5 }
    expect((await call('POST', '/runner/heartbeat', { token, json: beat })).data).toMatchObject({
      state: 'active',
    })
    const other = await registerRunner()
    expect((await claim(other)).data.judgementId).toBe(left.judgementId)
    expect((await claim(other)).status).toBe(204)
  })

  test('the sweeper sends a new ticket for a job nobody has taken [QF7]', async () => {
    const { student, problemId } = await createProblem()
    await submit(student, problemId)
    const sent: unknown[] = []
    const queue = { sendBatch: async (messages: unknown[]) => sent.push(...messages) }
    const later = nowSeconds() + JUDGING.ticketAgeSeconds + 1
    await sweep({ ...env, JUDGE_QUEUE: queue } as never, later)
    expect(sent).toHaveLength(1)
    await sweep({ ...env, JUDGE_QUEUE: queue } as never, later)
    expect(sent).toHaveLength(1)
  })

  test('the sweeper sends no ticket for a job that a host holds', async () => {
    const { id } = await createClaimedJob()
    await runSql`update judgements set ticket_at = 0 where submission_id = ${id}`
    const sent: unknown[] = []
    const queue = { sendBatch: async (messages: unknown[]) => sent.push(...messages) }
    await sweep({ ...env, JUDGE_QUEUE: queue } as never, nowSeconds())
    expect(sent).toEqual([])
    await expireLeases()
    await sweep({ ...env, JUDGE_QUEUE: queue } as never, nowSeconds())
    expect(sent).toHaveLength(1)
  })

  test('test data that no longer fit the subtasks are a Judge Error, never the student’s fault', async () => {
    const { student, teacher, problemId } = await createProblem()
    const token = await registerRunner()
    const id = await submit(student, problemId)
    const form = (await teacher.get(`/problem/manage/${problemId}`)).data
    form.testCase[1].caseCount = 3
    await teacher.put(`/problem/manage/${problemId}`, form)
    expect((await claim(token)).status).toBe(204)
    expect((await student.get(`/submission/${id}`)).data.status).toBe(6)
    form.testCase[1].caseCount = 2
    await teacher.put(`/problem/manage/${problemId}`, form)
    await teacher.post(`/submission/${id}/rejudge`)
    expect((await claim(token)).data.submissionId).toBe(id)
  })

  test('code that is missing is a Judge Error that says so', async () => {
    const { student, teacher, problemId } = await createProblem()
    const token = await registerRunner()
    const id = await submit(student, problemId)
    await runSql`delete from submission_sources where submission_id = ${id}`
    expect((await claim(token)).status).toBe(204)
    const { status, judgements } = (await teacher.get(`/submission/${id}`)).data
    expect(status).toBe(STATUS.JE)
    expect(JSON.stringify(judgements)).toContain('The source code of this submission is missing')
  })

  test('new test data count from the next claim on, and every judgement names its version', async () => {
    const { student, teacher, problemId, token, id, job: before } = await createClaimedJob()
    await uploadZip(teacher, problemId, { ...FITTING_ENTRIES, '0000.in': '9 9\n' })
    await submit(student, problemId)
    const after = (await claim(token)).data
    expect(after.testData.version).not.toBe(before.testData.version)
    await report(token, before.judgementId, reportOf(before.lease))
    const read = await student.get(`/submission/${id}`)
    expect(read.data.judgements[0].testDataVersion).toBe(before.testData.version)
  })
})

describe('outputs and rejudging', () => {
  test('the submitter reads the output of sample cases only, staff all that is kept', async () => {
    const { student, ta, token, id, job } = await createClaimedJob()
    const outputs = [0, 1].map((task) => outputOf({ task, stdout: '3\0', expected: '4' }))
    await report(token, job.judgementId, reportOf(job.lease, STATUS.WA, outputs))
    expect((await student.get(`/submission/${id}/output/0/0`)).data).toMatchObject({
      stdout: '3\0',
      expected: '4',
    })
    expect((await student.get(`/submission/${id}/output/1/0`)).status).toBe(404)
    expect((await ta.get(`/submission/${id}/output/1/0`)).status).toBe(200)
    expect((await ta.get(`/submission/${id}/output/1/1`)).status).toBe(404)
  })

  test('a rejudge is pending again and keeps the old result in the history; students may not', async () => {
    const { student, ta, token, id, job } = await createClaimedJob()
    await report(token, job.judgementId, reportOf(job.lease))
    expect((await student.post(`/submission/${id}/rejudge`)).status).toBe(403)
    expect((await ta.get(`/submission/${id}/rejudge`)).status).toBe(200)
    const read = await student.get(`/submission/${id}`)
    expect(read.data).toMatchObject({ status: -1, score: 0, tasks: null })
    expect(read.data.judgements.map((entry: { state: string }) => entry.state)).toEqual([
      'queued',
      'done',
    ])
  })

  test('a result for a superseded judgement is refused [QF5]', async () => {
    const { student, ta, token, id, job: old } = await createClaimedJob()
    await ta.post(`/submission/${id}/rejudge`)
    const late = await report(token, old.judgementId, reportOf(old.lease))
    expect(late.code).toBe('stale_lease')
    expect((await student.get(`/submission/${id}`)).data.status).toBe(-1)
  })
})

describe('who may speak as a runner', () => {
  test('neither guests nor users nor wrong tokens [AZ6]', async () => {
    const { teacher } = await createProblem()
    expect((await teacher.post('/runner/jobs/claim')).status).toBe(401)
    expect((await call('POST', '/runner/jobs/claim', { token: 'wrong' })).status).toBe(401)
    expect((await call('POST', '/runner/register', { token: 'wrong', json: {} })).status).toBe(401)
  })

  test('a runner token opens nothing but the runner calls [AZ6]', async () => {
    const token = await registerRunner()
    expect((await call('GET', '/course', { token })).status).toBe(401)
    expect((await call('GET', '/auth/me', { token })).status).toBe(401)
  })
})
