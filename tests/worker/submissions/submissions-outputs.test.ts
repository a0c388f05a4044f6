import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { KEPT_OUTPUT_BYTES } from '#contract/limits'
import { STATUS } from '#contract/verdicts'
import {
  claim,
  createClaimedJob,
  emptyQueue,
  judgeAll,
  outputOf,
  report,
  reportOf,
} from '../support/judge.ts'
import { firstValue } from '../support/sql.ts'
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
  const edit = await teacher.put(`/problem/manage/${problemId}`, { ...form, revealTests: true })
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

/** A submission with a kept output, to a problem whose sample has this input. */
async function judgedSample(input: string) {
  const world = await createProblem()
  await uploadZip(world.teacher, world.problemId, { ...FITTING_ENTRIES, '0000.in': input })
  const token = await registerRunner()
  const id = await submit(world.student, world.problemId)
  const job = (await claim(token)).data
  const outputs = [outputOf({ stdout: '4', expected: '3' }), outputOf({ task: 1, expected: '4' })]
  await report(token, job.judgementId, reportOf(job.lease, STATUS.WA, outputs))
  return { ...world, path: `/submission/${id}/output` }
}

test('the input stands beside the output, for the same people, also once there are new test data', async () => {
  const { student, ta, teacher, problemId, path } = await judgedSample('7 8\n')
  const sample = await student.get(`${path}/0/0`)
  expect(sample.data).toMatchObject({ input: '7 8\n', inputSize: 4, stdout: '4' })
  expect((await student.get(`${path}/1/0`)).status).toBe(404)
  expect((await ta.get(`${path}/1/0`)).data.input).toBe('2 2\n')
  await uploadZip(teacher, problemId, FITTING_ENTRIES)
  expect((await ta.get(`${path}/0/0`)).data.input).toBe('7 8\n')
})

test.each([
  ['what packs to nothing', 'x'.repeat(9_000_000)],
  [
    'what does not pack',
    Array.from({ length: 300 }, () =>
      Buffer.from(crypto.getRandomValues(new Uint8Array(1024))).toString('base64'),
    ).join(''),
  ],
  ['what just fits', 'y'.repeat(KEPT_OUTPUT_BYTES)],
])('a long input is cut: %s', async (_, input) => {
  const { student, path } = await judgedSample(input)
  const { data } = await student.get(`${path}/0/0`)
  expect(data.input === input.slice(0, KEPT_OUTPUT_BYTES)).toBe(true)
  expect(data.inputSize).toBe(input.length)
})

test('an output is shown without its input when the test data are gone', async () => {
  const { student, problemId, path } = await judgedSample('7 8\n')
  const { objects } = await env.BUCKET.list({ prefix: `test-data/${problemId}/` })
  await env.BUCKET.delete(objects.map(({ key }) => key))
  const { data } = await student.get(`${path}/0/0`)
  expect(data).toMatchObject({ input: null, inputSize: null, stdout: '4' })
})

test('a case is read alone: what lies behind it is not looked at', async () => {
  const { student, ta, path } = await judgedSample('7 8\n')
  const key = String(await firstValue`select outputs_key from judgements order by id desc limit 1`)
  const object = await env.BUCKET.get(key)
  const stored = (await object?.text()) ?? ''
  expect(stored).toMatch(/^\[\{"task":0,"case":0,/)
  await env.BUCKET.put(key, stored.slice(0, -30))
  expect((await student.get(`${path}/0/0`)).data.stdout).toBe('4')
  expect((await ta.get(`${path}/1/0`)).status).toBe(404)
})

test('a case is found whatever the order in which a host names its fields', async () => {
  const { ta, token, id, job } = await createClaimedJob()
  const output = outputOf({ stdout: '4' })
  const turned: typeof output = Object.fromEntries(Object.entries(output).toReversed()) as never
  await report(token, job.judgementId, reportOf(job.lease, STATUS.WA, [turned]))
  expect((await ta.get(`/submission/${id}/output/0/0`)).data.stdout).toBe('4')
})
