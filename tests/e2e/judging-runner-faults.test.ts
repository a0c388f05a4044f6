/** A runner that dies at every point of the protocol, a judge that is gone, a submission that kills. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { courseItem } from '#contract/courses'
import { job } from '#contract/judging'
import { JUDGING } from '#contract/limits'
import { problemCreated } from '#contract/problems'
import { submissionCreated, submissionDetail, type SubmissionDetail } from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import type { ApiClient } from '../../scripts/api-client.ts'
import { ROOT } from '../../scripts/root.ts'
import { testDataZip } from '../runner/fixtures/zip-builder.ts'
import { createRunner, type TestRunner } from '../support/runner.ts'
import {
  type OnCall,
  type ProxiedCall,
  type RunnerProxy,
  startRunnerProxy,
} from '../support/runner-proxy.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

const isFull = Reflect.get(import.meta, 'env').MODE === 'full'
const COURSE = 'Faults'
const CASES = 6

let stack: TestStack
let admin: ApiClient
let folder = ''
let proxy: RunnerProxy
let runner: TestRunner
/** What the proxy asks; each test sets its own. */
let onCall: OnCall = () => true
/** Judgement → how often a runner was given it. */
const claims = new Map<string, number>()

beforeAll(async () => {
  stack = await startTestStack({ runners: 0, variables: { SUBMIT_LIMIT_PER_MINUTE: '1000' } })
  // Not below /tmp: boxes would not reach the precompiled header.
  await mkdir(join(ROOT, 'build'), { recursive: true })
  folder = await mkdtemp(join(ROOT, 'build/faults-'))
  proxy = await startRunnerProxy(stack.runnerEnvironment, (call) => {
    const claimed = claimOf(call)
    if (claimed) claims.set(claimed, (claims.get(claimed) ?? 0) + 1)
    return onCall(call)
  })
  runner = createRunner({
    ...stack.runnerEnvironment,
    ...proxy.environment,
    RUNNER_NAME: 'tried',
    RUNNER_SLOTS: '2',
    RUNNER_STATE_DIR: join(folder, 'state'),
  })
  await runner.start()
  admin = await clientOf(stack.url, 'admin')
  await admin.call('POST', '/course', courseItem.pick({ course: true }), {
    json: { course: COURSE, teacher: 'admin' },
  })
})

afterAll(async () => {
  await runner.stop()
  await proxy.close()
  await stack.stop()
  await rm(folder, { recursive: true, force: true })
})

/** The judgement of a claim's answer. */
function claimOf({ name, stage, data }: ProxiedCall): string | null {
  if (name !== 'claim' || stage !== 'answered') return null
  const given = job.pick({ judgementId: true }).safeParse((data as { data?: unknown } | null)?.data)
  return given.success ? given.data.judgementId : null
}

/** @param mark makes test data of its own: the runner has none of them yet */
async function createProblem(mark: string): Promise<number> {
  const { problemId } = await admin.call('POST', '/problem/manage', problemCreated, {
    json: {
      course: COURSE,
      problemName: 'Patience',
      status: 0,
      description: { description: 'Print done.' },
      testCase: [{ caseCount: CASES, taskScore: 100, memoryLimit: 65_536, timeLimit: 2_000 }],
    },
  })
  const cases: [string, string][] = Array.from({ length: CASES }, () => [mark, 'done\n'])
  await admin.uploadTestData(problemId, new Uint8Array(testDataZip([cases])))
  return problemId
}

/** Burns `ms` of CPU a case. `mark` makes a program of its own: one that was never compiled. */
async function submit(problemId: number, mark: string, ms = 400): Promise<string> {
  const code = `// ${mark}
#include <cstdio>
#include <ctime>
constexpr long work(long n) { long sum = 0; for (long i = 0; i < n; i++) sum += i % 7; return sum; }
static_assert(work(200000) + work(200001) + work(200002) + work(200003) + work(200004) > 0);
int main() { while (clock() < ${ms} * (CLOCKS_PER_SEC / 1000)) {} std::puts("done"); }`
  const answer = await admin.call('POST', '/submission', submissionCreated, {
    json: { problemId, languageType: 1, code },
  })
  return answer.submissionId
}

function read(submissionId: string): Promise<SubmissionDetail> {
  return admin.call('GET', `/submission/${submissionId}`, submissionDetail)
}

async function judged(submissionId: string): Promise<SubmissionDetail> {
  await expect.poll(async () => (await read(submissionId)).status, { interval: 300 }).not.toBe(-1)
  return read(submissionId)
}

interface Point {
  what: string
  stage: Stage
  is: (call: ProxiedCall) => boolean
  /** Also in the everyday run. */
  everyday?: true
}
type Stage = ProxiedCall['stage']

function hasTickets({ data }: ProxiedCall): boolean {
  const found = data as { result?: { messages?: unknown[] } } | null
  return (found?.result?.messages?.length ?? 0) > 0
}

/** Twelve points, in the order of a job's life. */
const POINTS: Point[] = [
  {
    what: 'with a ticket in hand',
    stage: 'answered',
    is: (call) => call.name === 'pull' && hasTickets(call),
  },
  { what: 'while it asks for the job', stage: 'asked', is: ({ name }) => name === 'claim' },
  {
    what: 'before it hears that the job is its own',
    stage: 'answered',
    is: (call) => claimOf(call) !== null,
  },
  {
    what: 'after it has heard it',
    stage: 'heard',
    is: ({ name, status }) => name === 'claim' && status === 200,
  },
  { what: 'before the ticket is acknowledged', stage: 'asked', is: ({ name }) => name === 'ack' },
  { what: 'before the test data come', stage: 'asked', is: ({ name }) => name === 'test-data' },
  { what: 'when the test data have come', stage: 'heard', is: ({ name }) => name === 'test-data' },
  { what: 'in its first progress report', stage: 'asked', is: ({ name }) => name === 'progress' },
  {
    what: 'in the middle of the cases',
    stage: 'asked',
    is: ({ name, body }) => name === 'progress' && Number(body['done']) >= 3,
  },
  {
    what: 'before the result is sent',
    stage: 'asked',
    is: ({ name }) => name === 'result',
  },
  {
    what: 'before it hears that the result is stored',
    stage: 'answered',
    is: ({ name }) => name === 'result',
    everyday: true,
  },
  {
    what: 'when it has heard that the result is stored',
    stage: 'heard',
    is: ({ name }) => name === 'result',
  },
]

test.each(POINTS.filter(({ everyday }) => isFull || everyday))(
  'kill -9 $what: the submission gets its one verdict [QF2]',
  async ({ what, stage, is }) => {
    const problemId = await createProblem(what)
    const { promise: reached, resolve } = Promise.withResolvers<void>()
    let armed = true
    onCall = (call) => {
      if (!armed || call.stage !== stage || !is(call)) return true
      armed = false
      resolve()
      return false
    }
    const submissionId = await submit(problemId, what)
    await reached
    await runner.kill()
    await runner.start()
    const found = await judged(submissionId)
    expect(found).toMatchObject({ status: STATUS.AC, score: 100 })
    expect(found.tasks?.[0]?.cases).toHaveLength(CASES)
    expect(found.judgements.map(({ state }) => state)).toEqual(['done'])
  },
)

test.skipIf(!isFull).each([60, 600])(
  'a judge that is gone for %i s: results wait on disk, nothing is lost, nothing is judged twice [QF3]',
  async (seconds) => {
    const problemId = await createProblem(`outage of ${seconds} s`)
    claims.clear()
    const { promise: underWay, resolve } = Promise.withResolvers<void>()
    onCall = ({ name, stage }) => {
      if (name === 'progress' && stage === 'heard') resolve()
      return true
    }
    const ids = []
    for (let index = 0; index < 6; index++)
      ids.push(await submit(problemId, `outage of ${seconds} s, ${index}`))
    await underWay
    await stack.killWorker()
    // The outage itself: how long it lasts is what is tried.
    await delay(seconds * 1_000)
    await stack.startWorker()
    for (const id of ids) expect((await judged(id)).status).toBe(STATUS.AC)
    expect([...claims.values()]).toEqual(ids.map(() => 1))
  },
)

test.skipIf(!isFull)(
  'a submission that kills the runner each time is a Judge Error after three attempts; others are judged meanwhile [QF6]',
  async () => {
    const mark = 'the one that kills'
    const problemId = await createProblem(mark)
    claims.clear()
    const poison = await submit(problemId, mark)
    const others: string[] = []
    const deaths = Promise.withResolvers<void>()
    let poisoned: string | null = null
    let kills = 0
    let pending = Promise.resolve()
    onCall = (call) => {
      const given = claimOf(call)
      const source = (call.data as { data?: { source?: string } } | null)?.data?.source ?? ''
      if (given && Buffer.from(source, 'base64').includes(mark)) poisoned = given
      if (
        call.name !== 'claim' ||
        call.stage !== 'heard' ||
        !Buffer.from(source, 'base64').includes(mark)
      )
        return true
      kills++
      pending = (async () => {
        await pending
        await runner.kill()
        await runner.start()
        if (kills === JUDGING.maxAttempts) deaths.resolve()
      })()
      return true
    }
    for (let index = 0; index < 8; index++)
      others.push(await submit(problemId, `other ${index}`, 50))
    await deaths.promise
    await stack.runCron()
    const found = await judged(poison)
    expect(found.status).toBe(STATUS.JE)
    expect(found.judgements[0]?.reason).toMatch(/^Given up after 3 attempts/)
    expect(claims.get(poisoned ?? '')).toBe(JUDGING.maxAttempts)
    for (const id of others) expect((await judged(id)).status).toBe(STATUS.AC)
  },
)
