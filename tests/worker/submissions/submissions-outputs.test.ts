import { beforeEach, expect, test } from 'vitest'
import { STATUS } from '#contract/verdicts'
import {
  createClaimedJob,
  emptyQueue,
  judgeAll,
  outputOf,
  report,
  reportOf,
} from '../support/judge.ts'
import {
  createProblem,
  FITTING_ENTRIES,
  registerRunner,
  submit,
  uploadZip,
} from '../support/world.ts'

beforeEach(emptyQueue)

test('no output gets readable when the subtasks and the test data change', async () => {
  const { student, ta, teacher, problemId, token, id, job } = await createClaimedJob()
  const secret = outputOf({ task: 1, expected: '4' })
  await report(token, job.judgementId, reportOf(job.lease, STATUS.WA, [secret]))
  const path = `/submission/${id}`
  expect((await student.get(path)).data.sampleTasks).toEqual([0])
  const form = (await teacher.get(`/problem/manage/${problemId}`)).data
  const [sample, scored] = form.testCase
  const half = { ...scored, taskScore: 50 }
  form.testCase = [half, { ...sample, caseCount: 2 }, half]
  const edit = await teacher.put(`/problem/manage/${problemId}`, form)
  expect(edit.status).toBe(200)
  expect((await student.get(`${path}/output/1/0`)).status).toBe(404)
  expect((await ta.get(`${path}/output/1/0`)).status).toBe(200)
  expect((await student.get(path)).data.sampleTasks).toEqual([])
})

test('the samples of a problem that has new test data are readable again after a rejudge', async () => {
  const { student, ta, teacher, problemId } = await createProblem()
  const token = await registerRunner()
  const id = await submit(student, problemId)
  await judgeAll(token)
  await uploadZip(teacher, problemId, { ...FITTING_ENTRIES, '0000.in': '9 9\n' })
  const samples = async () => (await student.get(`/submission/${id}`)).data.sampleTasks
  expect(await samples()).toEqual([])
  await ta.post(`/submission/${id}/rejudge`)
  await judgeAll(token)
  expect(await samples()).toEqual([0])
})
