/** A judge that runs for long: Worker, database, queue and a runner of two slots; people hand in, read and wait. */
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import * as z from 'zod'
import { liveHint } from '#contract/live'
import { problemCreated } from '#contract/problems'
import { queueState } from '#contract/judging/runners'
import { submissionCreated, submissionDetail } from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import type { ApiClient } from '../../scripts/api-client.ts'
import { openHeap, type Heap } from '../support/heap.ts'
import { TEST_MS } from '../../scripts/test/patience.ts'
import { freePort } from '../../scripts/stack/ports.ts'
import { ROOT } from '../../scripts/root.ts'
import { descendants } from '../runner/fixtures/processes.ts'
import { testDataZip } from '../runner/fixtures/zip-builder.ts'
import { afterThisFile } from '../support/clean-up.ts'
import { rowsOf } from '../support/database-rows.ts'
import { createRunner, type TestRunner } from '../support/runner.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'
import {
  cgroupsOf,
  descriptorsOf,
  grown,
  holdingsOf,
  isAlive,
  residentMb,
  slopePer10Min,
  workerdBelow,
} from './holdings.ts'
import { VERDICT_PROGRAMS } from './verdict-programs.ts'

const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 30)
/** A third of the time fills bounded caches; a slow machine takes longer, until it has judged this many. */
const WARM = { ms: MINUTES * 20_000, submissions: MINUTES * 20 }
/** In this time nothing may grow. */
const SOAK_MS = MINUTES * 40_000
/** The test measures memory once in this time, when everything is judged. */
const STEP_MS = 60_000
/** Each person does at most one thing in this time, in ms: at most 1,800 submissions, however fast the machine. */
const PACE_MS = 3_000
const STUDENTS = ['student', 'student2', 'student3']
const READERS = ['student4', 'ta', 'teacher']
const PAGES = ['/', '/course/Demo', '/course/Demo/submission', '/problem/1']
/** Growth per ten minutes. workerd also plays D1, R2, queues and the network, and frees memory late, so its process has no bound. */
const MOST_MB = { runnerRss: 1, runnerHeap: 1, workerHeap: 1, workerRss: Infinity }

/** For the problem "read n, print 2n". */
const PROGRAMS = [
  ...VERDICT_PROGRAMS,
  { status: STATUS.AC, languageType: 2, code: 'print(2 * int(input()))' },
  {
    status: STATUS.AC,
    languageType: 1,
    code: '#include <bits/stdc++.h>\nint main(){long n;std::cin>>n;std::cout<<2*n;}',
  },
]

let stack: TestStack
let admin: ApiClient
let runner: TestRunner
let folder = ''
let problemId = 0
let runnerHeap: Heap
let workerHeap: Heap
/** Submission → its expected verdict. */
const sent = new Map<string, number>()
let turn = 0

beforeAll(async () => {
  const variables = { SUBMIT_LIMIT_PER_MINUTE: '0' }
  stack = await startTestStack({ runners: 0, demo: true, variables })
  await mkdir(join(ROOT, 'build'), { recursive: true })
  // Not below /tmp, because boxes do not see precompiled headers there.
  folder = await mkdtemp(join(ROOT, 'build/soak-'))
  afterThisFile(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'tmp'))
  const inspector = `127.0.0.1:${await freePort()}`
  runner = createRunner({
    ...stack.runnerEnvironment,
    NODE_OPTIONS: `--inspect=${inspector}`,
    TMPDIR: join(folder, 'tmp'),
    RUNNER_NAME: 'soaked',
    RUNNER_SLOTS: '2',
    RUNNER_STATE_DIR: join(folder, 'state'),
  })
  afterThisFile(() => runner.stop())
  // The first start fills the compile cache, and keeps the TypeScript compiler in memory.
  await runner.start()
  await runner.stop()
  await runner.start()
  runnerHeap = await openHeap(new URL(`http://${inspector}`))
  admin = await clientOf(stack.url, 'admin')
  workerHeap = await openHeap(stack.inspectorUrl, () => admin.call('GET', '/health', z.unknown()))
  afterThisFile(async () => {
    runnerHeap.close()
    workerHeap.close()
  })
  const created = await admin.call('POST', '/problem/manage', problemCreated, {
    json: {
      course: 'Demo',
      problemName: 'Twice',
      status: 0,
      description: { description: 'Print 2n.' },
      testCase: [{ caseCount: 3, taskScore: 100, memoryLimit: 262_144, timeLimit: 1_000 }],
    },
  })
  problemId = created.problemId
  const cases = [1, 2, 3].map((n): [string, string] => [`${n}\n`, `${2 * n}\n`])
  await admin.uploadTestData(problemId, new Uint8Array(testDataZip([cases])))
})

/** Hands in a new program and waits for its verdict. */
async function handIn(api: ApiClient): Promise<void> {
  const number = turn++
  const program = PROGRAMS[number % PROGRAMS.length]
  if (!program) throw new Error('There is no program.')
  const { status, languageType, code } = program
  const mark = `\n${languageType === 2 ? '#' : '//'} ${number}\n`
  const { submissionId } = await api.call('POST', '/submission', submissionCreated, {
    json: { problemId, languageType, code: code + mark },
  })
  sent.set(submissionId, status)
  const read = () => api.call('GET', `/submission/${submissionId}`, submissionDetail)
  await expect
    .poll(async () => (await read()).status, { interval: 250, message: code })
    .not.toBe(STATUS.PENDING)
}

/** Reads lists and pages. */
async function look(api: ApiClient): Promise<void> {
  const lists = [
    '/submission?course=Demo',
    `/submission?course=Demo&status=${STATUS.AC}`,
    '/problem?course=Demo',
    `/problem/${problemId}/stats`,
    '/course/Demo/homework',
    '/course/Demo',
    '/auth/me',
  ]
  for (const path of lists) await api.call('GET', path, z.unknown())
  for (const path of PAGES) {
    const page = await fetch(stack.url + path)
    expect(page.status).toBe(200)
    await page.text()
  }
}

/** Opens a page's socket; `heard` collects the submissions that it hears of. */
async function openHints(api: ApiClient): Promise<{ socket: WebSocket; heard: Set<string> }> {
  const socket = new WebSocket(`${api.url.replace(/^http/, 'ws')}/api/live`, {
    headers: { Cookie: api.cookie ?? '', Origin: api.url },
  })
  const heard = new Set<string>()
  socket.on('message', (data) => {
    const hint = liveHint.parse(JSON.parse(String(data)))
    if (hint.kind === 'submission') heard.add(hint.submissionId)
  })
  await once(socket, 'open')
  return { socket, heard }
}

/** Repeats work until the time is over, at least once on a slow machine. */
async function repeat(work: () => Promise<void>, endMs: number): Promise<void> {
  do await Promise.all([work(), delay(PACE_MS)])
  while (Date.now() < endMs)
}

/** Everybody works for a step; ends when all their submissions are judged. */
async function work(people: { students: ApiClient[]; readers: ApiClient[] }): Promise<void> {
  const endMs = Date.now() + STEP_MS
  await Promise.all([
    ...people.students.map((api) => repeat(() => handIn(api), endMs)),
    ...people.readers.map((api) => repeat(() => look(api), endMs)),
  ])
}

/** Measures an idle judge after garbage collection: memory that V8 has not collected yet is no leak. */
async function measure(workerd: number) {
  const [runnerHeapMb, workerHeapMb] = [await runnerHeap.heldMb(), await workerHeap.heldMb()]
  return {
    runnerHeap: runnerHeapMb,
    runnerRss: residentMb(runner.pid()),
    workerHeap: workerHeapMb,
    workerRss: residentMb(workerd),
  }
}

/** Each submission has its verdict by one judgement, and no other result was counted. */
function expectOneResultEach(): void {
  const row = z.object({ id: z.string(), status: z.int(), states: z.string() })
  const found = rowsOf(
    stack.stateDir,
    `select id, status, (select group_concat(state) from judgements where submission_id = submissions.id) as states from submissions where problem_id = ${problemId}`,
    row,
  )
  const expected = [...sent].map(([id, status]) => ({ id, status, states: 'done' }))
  const byId = (left: { id: string }, right: { id: string }) => (left.id < right.id ? -1 : 1)
  expect(found.toSorted(byId)).toEqual(expected.toSorted(byId))
  const counts = z.object({ counts: z.string().transform((text) => JSON.parse(text)) })
  const counted = rowsOf(stack.stateDir, 'select verdict_counts as counts from runners', counts)
    .flatMap(({ counts }) => z.array(z.int()).parse(counts))
    .reduce((sum, count) => sum + count, 0)
  expect(counted).toBe(sent.size)
}

test(
  `${MINUTES} min of judging leave nothing behind, lose nothing, and memory stays where it is [LO4]`,
  async () => {
    const people = {
      students: await Promise.all(STUDENTS.map((name) => clientOf(stack.url, name))),
      readers: await Promise.all(READERS.map((name) => clientOf(stack.url, name))),
    }
    const [student, other] = people.students
    if (!student || !other) throw new Error('There are no students.')
    const pid = runner.pid()
    const workerd = workerdBelow(stack.workerPid())
    const held = async () => ({
      ...(await holdingsOf(pid, folder)),
      worker: descriptorsOf(workerd),
    })
    const steady = await openHints(student)
    const begunMs = Date.now()
    const looks = []
    let warm: Awaited<ReturnType<typeof held>> | undefined
    let untilMs = Infinity
    while (Date.now() < untilMs) {
      // A second page comes and goes, beside the one that stays.
      const { socket, heard } = await openHints(other)
      steady.heard.clear()
      await work(people)
      await expect.poll(() => steady.heard.size).toBeGreaterThan(0)
      await expect.poll(() => heard.size).toBeGreaterThan(0)
      const closed = once(socket, 'close')
      socket.close()
      await closed
      const memory = await measure(workerd)
      const ms = Date.now()
      const figures = Object.entries(memory).map(([what, mb]) => `${what} ${mb.toFixed(2)}`)
      console.log(
        `${((ms - begunMs) / 60_000).toFixed(1)} min, ${sent.size} submissions: ${figures.join(', ')} MB`,
      )
      if (ms < begunMs + WARM.ms || sent.size < WARM.submissions) continue
      if (!warm) {
        warm = await held()
        untilMs = ms + SOAK_MS
      }
      looks.push({ ms, ...memory })
    }
    const { pending } = await admin.call('GET', '/runners/queue', queueState)
    expect(pending).toBe(0)
    expectOneResultEach()
    await expect.poll(async () => warm && grown(warm, await held())).toEqual([])
    for (const [what, mostMb] of Object.entries(MOST_MB) as [keyof typeof MOST_MB, number][]) {
      const slope = slopePer10Min(looks.map((at) => [at.ms, at[what]]))
      console.log(`${what}: ${slope.toFixed(2)} MB per 10 min, at most ${mostMb}`)
      expect.soft(slope, what).toBeLessThanOrEqual(mostMb)
    }

    expect(steady.socket.readyState).toBe(WebSocket.OPEN)
    steady.socket.close()
    const below = descendants(pid)
    // Node does not end while an inspector is connected.
    runnerHeap.close()
    await runner.stop()
    await expect.poll(() => below.filter(isAlive)).toEqual([])
    expect(await cgroupsOf(below)).toEqual([])
    for (const rest of ['tmp', 'state/results'])
      expect(await readdir(join(folder, rest)), rest).toEqual([])
  },
  MINUTES * 60_000 + TEST_MS,
)
