/** Cancelling waiting submissions: by their author and by staff, one or all of a problem. */
import { beforeEach, expect, test } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { claim, emptyQueue, judgeAll, report, reportOf } from '../support/judge.ts'
import { finishOperations } from '../support/step-queue.ts'
import { call, createPerson, createProblem, registerRunner, submit } from '../support/world.ts'

beforeEach(emptyQueue)

test('the author cancels what waits: the quota is given back and no host gets it', async () => {
  const { student, problemId } = await createProblem({ quota: 1 })
  const token = await registerRunner()
  const id = await submit(student, problemId)
  expect((await student.get(`/problem/${problemId}`)).data.quotaUsed).toBe(1)
  expect((await student.post(`/submission/${id}/cancel`)).status).toBe(200)
  const { data } = await student.get(`/submission/${id}`)
  expect(data).toMatchObject({ status: STATUS.JE, judgements: [{ state: 'cancelled' }] })
  expect((await student.get(`/problem/${problemId}`)).data).toMatchObject({
    quotaUsed: 0,
    highScore: null,
  })
  expect((await claim(token)).status).toBe(204)
  expect(await student.post(`/submission/${id}/cancel`)).toMatchObject({ status: 409 })
  await submit(student, problemId)
})

test('a host that judges it learns from its progress that nobody wants the result', async () => {
  const { ta, student, problemId } = await createProblem()
  const token = await registerRunner()
  const id = await submit(student, problemId)
  const job = (await claim(token)).data
  expect((await ta.post(`/submission/${id}/cancel`)).status).toBe(200)
  const progress = { lease: job.lease, phase: 'running', done: 1, total: 2 }
  const told = await call('POST', `/runner/jobs/${job.judgementId}/progress`, {
    token,
    json: progress,
  })
  expect(told.status).toBe(409)
  expect((await report(token, job.judgementId, reportOf(job.lease))).status).toBe(409)
  const { data } = await ta.get(`/submission/${id}`)
  expect(data).toMatchObject({ status: STATUS.JE })
  expect(data.judgements[0].reason).toBe('Cancelled by staff.')
})

test('who is erased leaves no name in what they cancelled', async () => {
  const { ta, student, problemId } = await createProblem()
  const admin = await createPerson(0)
  const id = await submit(student, problemId)
  expect((await student.post(`/submission/${id}/cancel`)).status).toBe(200)
  expect((await admin.delete(`/user/${student.username}`)).status).toBe(200)
  const { data } = await ta.get(`/submission/${id}`)
  expect(data.judgements[0].reason).toBe('Cancelled by its author.')
  expect(JSON.stringify(data)).not.toContain(student.username)
})

test('an author does not keep a result by cancelling the rejudging that may change it', async () => {
  const { ta, student, problemId } = await createProblem()
  const token = await registerRunner()
  const id = await submit(student, problemId)
  await judgeAll(token)
  expect((await ta.post(`/submission/${id}/rejudge`)).status).toBe(200)
  expect((await student.post(`/submission/${id}/cancel`)).code).toBe('not_pending')
  const { data } = await student.get(`/submission/${id}`)
  expect(data).toMatchObject({ status: STATUS.PENDING, judgements: [{ state: 'queued' }, {}] })
  expect((await ta.post(`/submission/${id}/cancel`)).status).toBe(200)
  expect((await student.get(`/submission/${id}`)).data.status).toBe(STATUS.AC)
})

test('staff cancel all of a problem; what was judged before has its result again', async () => {
  const { ta, student, problemId } = await createProblem()
  const other = await createProblem()
  const token = await registerRunner()
  const judged = await submit(student, problemId)
  await judgeAll(token)
  expect((await ta.post(`/submission/${judged}/rejudge`)).status).toBe(200)
  const fresh = await submit(student, problemId)
  const elsewhere = await submit(other.student, other.problemId)
  expect((await ta.post(`/problem/${problemId}/cancel`)).data).toEqual({ count: 2, more: false })
  const statusOf = async (id: string) => (await student.get(`/submission/${id}`)).data.status
  expect([await statusOf(judged), await statusOf(fresh)]).toEqual([STATUS.AC, STATUS.JE])
  expect((await student.get(`/problem/${problemId}`)).data).toMatchObject({
    submitCount: 2,
    highScore: 100,
    solved: true,
  })
  expect((await other.student.get(`/submission/${elsewhere}`)).data.status).toBe(STATUS.PENDING)
  expect((await ta.post(`/problem/${problemId}/cancel`)).data).toEqual({ count: 0, more: false })
  // A rejudge undoes the cancelling.
  expect((await ta.post(`/submission/${fresh}/rejudge`)).status).toBe(200)
  await judgeAll(token)
  expect(await statusOf(fresh)).toBe(STATUS.AC)
})

test('what a bulk rejudge has found out but not applied is not taken for the result before', async () => {
  const { ta, student, problemId } = await createProblem()
  const token = await registerRunner()
  const id = await submit(student, problemId)
  await judgeAll(token, STATUS.WA)
  const { jobId } = (await ta.post(`/problem/${problemId}/rejudge`, { apply: false })).data
  await finishOperations(jobId)
  await judgeAll(token)
  await ta.post(`/submission/${id}/rejudge`)
  expect((await ta.post(`/submission/${id}/cancel`)).status).toBe(200)
  expect((await student.get(`/submission/${id}`)).data.status).toBe(STATUS.WA)
  await finishOperations(jobId)
  expect((await ta.post(`/jobs/${jobId}/apply`)).status).toBe(200)
  await finishOperations(jobId)
  expect((await student.get(`/submission/${id}`)).data.status).toBe(STATUS.AC)
})

test('nobody else cancels anything', async () => {
  const { student, problemId } = await createProblem()
  const id = await submit(student, problemId)
  const stranger = await createPerson(2)
  expect((await stranger.post(`/submission/${id}/cancel`)).status).toBe(404)
  expect((await student.post(`/problem/${problemId}/cancel`)).status).toBe(403)
  expect((await student.get(`/submission/${id}`)).data.status).toBe(STATUS.PENDING)
})
