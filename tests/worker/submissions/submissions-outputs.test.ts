import { beforeEach, expect, test } from 'vitest'
import { STATUS } from '#contract/verdicts'
import { claim, emptyQueue, judgeAll, reportOf } from '../support/judge.ts'
import {
  call,
  createProblem,
  FITTING_ENTRIES,
  registerRunner,
  submit,
  uploadZip,
} from '../support/world.ts'

beforeEach(emptyQueue)

test('no output gets readable when the subtasks and the test data change', async () => {
  const { student, ta, teacher, problemId } = await createProblem()
  const token = await registerRunner()
  const id = await submit(student, problemId)
  const job = (await claim(token)).data
  const kept = { stdout: '', stdoutSize: 0, stderr: '', stderrSize: 0 }
  const secret = {
    task: 1,
    case: 0,
    ...kept,
    expected: Buffer.from('4').toString('base64'),
    expectedSize: 1,
  }
  await call('PUT', `/runner/jobs/${job.judgementId}/result`, {
    token,
    json: reportOf(job.lease, STATUS.WA, [secret]),
  })
  const path = `/submission/${id}`
  expect((await call('GET', path, { as: student })).data.sampleTasks).toEqual([0])
  const form = (await call('GET', `/problem/manage/${problemId}`, { as: teacher })).data
  const [sample, scored] = form.testCase
  const half = { ...scored, taskScore: 50 }
  form.testCase = [half, { ...sample, caseCount: 2 }, half]
  const edit = await call('PUT', `/problem/manage/${problemId}`, { as: teacher, json: form })
  expect(edit.status).toBe(200)
  expect((await call('GET', `${path}/output/1/0`, { as: student })).status).toBe(404)
  expect((await call('GET', `${path}/output/1/0`, { as: ta })).status).toBe(200)
  expect((await call('GET', path, { as: student })).data.sampleTasks).toEqual([])
})

test('the samples of a problem that has new test data are readable again after a rejudge', async () => {
  const { student, ta, teacher, problemId } = await createProblem()
  const token = await registerRunner()
  const id = await submit(student, problemId)
  await judgeAll(token)
  await uploadZip(teacher, problemId, { ...FITTING_ENTRIES, '0000.in': '9 9\n' })
  const samples = async () =>
    (await call('GET', `/submission/${id}`, { as: student })).data.sampleTasks
  expect(await samples()).toEqual([])
  await call('POST', `/submission/${id}/rejudge`, { as: ta })
  await judgeAll(token)
  expect(await samples()).toEqual([0])
})
