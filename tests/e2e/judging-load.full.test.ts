/** A class hands in just before the deadline. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { batchSignupResult } from '#contract/people/auth'
import { courseItem } from '#contract/courses'
import { problemCreated } from '#contract/problems'
import { submissionDetail } from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import { createApiClient, type ApiClient } from '../../scripts/api-client.ts'
import { percentile } from '../../scripts/bench/report.ts'
import { idealWaits, ServedJobs } from '../../scripts/bench/served-jobs.ts'
import { ROOT } from '../../scripts/root.ts'
import { testDataZip } from '../runner/fixtures/zip-builder.ts'
import { type RunnerProxy, startRunnerProxy } from '../../scripts/stack/runner-proxy.ts'
import { createRunner, type TestRunner } from '../support/runner.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

/** Number of students, and the time in which they hand in. */
const CLASS = { students: 300, seconds: 60 }
const COURSE = 'Load'
const RUNNERS = 2
const SLOTS = 2

let stack: TestStack
let admin: ApiClient
let folder = ''
let problemId = 0
const proxies: RunnerProxy[] = []
const runners: TestRunner[] = []
const served = new ServedJobs()

beforeAll(async () => {
  stack = await startTestStack({ runners: 0, variables: { SUBMIT_LIMIT_PER_MINUTE: '100000' } })
  await mkdir(join(ROOT, 'build'), { recursive: true })
  folder = await mkdtemp(join(ROOT, 'build/load-'))
  for (let index = 0; index < RUNNERS; index++) {
    const proxy = await startRunnerProxy(stack.runnerEnvironment, (call) => served.note(call))
    proxies.push(proxy)
    const runner = createRunner({
      ...stack.runnerEnvironment,
      ...proxy.environment,
      RUNNER_NAME: `load-${index}`,
      RUNNER_SLOTS: String(SLOTS),
      RUNNER_STATE_DIR: join(folder, `state-${index}`),
    })
    runners.push(runner)
    await runner.start()
  }
  admin = await clientOf(stack.url, 'admin')
  await admin.call('POST', '/course', courseItem.pick({ course: true }), {
    json: { course: COURSE, teacher: 'admin' },
  })
  const created = await admin.call('POST', '/problem/manage', problemCreated, {
    json: {
      course: COURSE,
      problemName: 'Twice',
      status: 0,
      description: { description: 'Print 2n.' },
      testCase: [{ caseCount: 3, taskScore: 100, memoryLimit: 65_536, timeLimit: 1_000 }],
    },
  })
  problemId = created.problemId
  const cases: [string, string][] = [
    ['1\n', '2\n'],
    ['2\n', '4\n'],
    ['3\n', '6\n'],
  ]
  await admin.uploadTestData(problemId, new Uint8Array(testDataZip([cases])))
})

afterAll(async () => {
  for (const runner of runners) await runner.stop()
  for (const proxy of proxies) await proxy.close()
  await stack.stop()
  await rm(folder, { recursive: true, force: true })
})

async function judged(submissionId: string): Promise<void> {
  await expect
    .poll(
      async () => (await admin.call('GET', `/submission/${submissionId}`, submissionDetail)).status,
      { interval: 500 },
    )
    .toBe(STATUS.AC)
}

test(`${CLASS.students} students hand in within ${CLASS.seconds} s: no 5xx, all judged, each in fair order [LO1]`, async () => {
  const students: ApiClient[] = []
  for (let first = 0; first < CLASS.students; first += 50) {
    const rows = Array.from({ length: Math.min(50, CLASS.students - first) }, (_, index) => {
      const name = `load${first + index}`
      return `${name},${name}@example.org,${name}-password`
    })
    await admin.call('POST', '/auth/batch-signup', batchSignupResult, {
      json: { newUsers: ['username,email,password', ...rows].join('\n'), course: COURSE },
    })
  }
  for (let index = 0; index < CLASS.students; index++) {
    const client = createApiClient(stack.url)
    await client.login(`load${index}`, `load${index}-password`)
    students.push(client)
  }
  const begun = Date.now()
  const handed = students.map(async (client, index) => {
    await delay((index * CLASS.seconds * 1_000) / CLASS.students)
    const sentAt = Date.now()
    const answer = await client.send('POST', '/submission', {
      json: { problemId, languageType: 2, code: `print(2 * int(input()))  # ${index}` },
    })
    const arrivedAt = Date.now()
    const body = await answer.json()
    return {
      status: answer.status,
      id: String(body.data?.submissionId),
      arrivedAt,
      postMs: arrivedAt - sentAt,
    }
  })
  const sent = await Promise.all(handed)
  expect(sent.filter(({ status }) => status !== 200)).toEqual([])
  for (const { id } of sent) await judged(id)
  const jobs = sent
    .toSorted((left, right) => (left.id < right.id ? -1 : 1))
    .map(({ id, arrivedAt }) => {
      const { claimedMs = 0, doneMs = 0 } = served.bySubmission.get(id) ?? {}
      return { arrivedMs: arrivedAt, waitMs: claimedMs - arrivedAt, tookMs: doneMs - claimedMs }
    })
  expect(jobs.every(({ tookMs }) => tookMs > 0)).toBe(true)
  const ideal = idealWaits(jobs, RUNNERS * SLOTS)
  const p95 = percentile(
    sent.map(({ postMs }) => postMs),
    0.95,
  )
  const waits = jobs.map(({ waitMs }) => waitMs)
  console.log(
    `${CLASS.students} submissions in ${((Date.now() - begun) / 1_000).toFixed(0)} s: POST p95 ${p95} ms, wait p95 ${percentile(waits, 0.95)} ms, ideal ${percentile(ideal, 0.95)} ms`,
  )
  // A later submission overtakes only where a slot has just become free.
  const claimedAt = jobs.map(({ arrivedMs, waitMs }) => arrivedMs + waitMs)
  for (const [index, at] of claimedAt.entries()) {
    const overtakers = claimedAt.slice(index + 1).filter((later) => later < at)
    expect(overtakers.length, `submission ${index}`).toBeLessThanOrEqual(RUNNERS * SLOTS)
  }
  expect(p95).toBeLessThanOrEqual(200)
  // An idle runner finds a job when it next asks the queue.
  const LOOK_MS = 1_000
  for (const [index, wait] of waits.entries())
    expect(wait, `submission ${index}`).toBeLessThanOrEqual(1.2 * (ideal[index] ?? 0) + LOOK_MS)
})
