/**
 * `npm run bench -- load`: exam day. Three hundred students sign in at once from one address, then hand in within a minute to two
 * runners, and one of them hands in fifty times first.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import * as z from 'zod'
import { batchSignupResult } from '#contract/people/auth'
import { submissionCreated } from '#contract/submissions'
import { createApiClient, type ApiClient } from '../api-client.ts'
import { DEMO_ADMIN, DEMO_PASSWORD } from '../demo/accounts.ts'
import { freePort } from '../stack/ports.ts'
import { startReaper } from '../process/reaper.ts'
import { type RunnerProxy, startRunnerProxy } from '../stack/runner-proxy.ts'
import { startRunner, type RunnerProcess } from '../stack/runner-process.ts'
import { seedDemo } from '../stack/seed-demo.ts'
import { startStack, type Stack } from '../stack/stack.ts'
import { percentile, Report, timed } from './report.ts'
import { idealWaits, ServedJobs } from './served-jobs.ts'

const STUDENTS = 300
const SECONDS = 60
const RUNNERS = 2
/** Of one student, before all others. */
const HOG = 50
/** The first demo problem, and its course. */
const PROBLEM = 1
const COURSE = 'Demo'
/** Rows of one file that are stored at once. */
const ROWS = 50
const LOOKS = 60
const LOOK_PAUSE_MS = 100
const PATIENCE_MS = 600_000
const GRACE_MS = 20_000

/** Bounds: what pages and hand-ins may take in the time of a quiet judge; what submissions may wait in that of an ideal queue. */
const MOST = { page: 3, post: 4, wait: 1.2 } as const
/** What an idle runner takes to hear of a job, and one to be given the next, ms. */
const HEARING_MS = 100

const anything = z.unknown()
const nameOf = (index: number) => `exam${index}`

async function clientOf(url: string, username: string, password: string): Promise<ApiClient> {
  const client = createApiClient(url)
  await client.login(username, password)
  return client
}

/** Accounts of students in the course. */
async function addStudents(admin: ApiClient): Promise<void> {
  for (let first = 0; first < STUDENTS; first += ROWS) {
    const rows = Array.from({ length: ROWS }, (_, index) => {
      const name = nameOf(first + index)
      return `${name},${name}@example.org,${name}-password`
    })
    const newUsers = ['username,email,password', ...rows].join('\n')
    await admin.call('POST', '/auth/batch-signup', batchSignupResult, {
      json: { newUsers, course: COURSE },
    })
  }
}

/** What reading the pages of a course takes, in ms, look by look until `isOver`. */
async function readPages(teacher: ApiClient, isOver: (looks: number) => boolean) {
  const times: number[] = []
  while (!isOver(times.length)) {
    const path = [`/course/${COURSE}`, `/problem?course=${COURSE}`, '/ann'][times.length % 3] ?? ''
    times.push(await timed(() => teacher.call('GET', path, anything)))
    await delay(LOOK_PAUSE_MS)
  }
  return times
}

/** All sign in at once. A browser that is put off comes back as it is told to; so do these. */
async function benchSignIns(url: string, teacher: ApiClient, report: Report): Promise<ApiClient[]> {
  const idle = await readPages(teacher, (looks) => looks === LOOKS)
  let isOver = false
  const reading = readPages(teacher, () => isOver)
  const times: number[] = []
  const students = await Promise.all(
    Array.from({ length: STUDENTS }, async (_, index) => {
      const name = nameOf(index)
      let client: ApiClient | undefined
      times.push(await timed(async () => (client = await clientOf(url, name, `${name}-password`))))
      if (!client) throw new Error(`${name} could not sign in`)
      return client
    }),
  )
  isOver = true
  const beside = await reading
  const [own, base] = [percentile(beside, 0.95), percentile(idle, 0.95)]
  const detail = `${own.toFixed(0)} ÷ ${base.toFixed(0)} ms`
  report.bound(`pages beside ${STUDENTS} sign-ins ÷ idle, p95`, own / base, MOST.page, detail)
  report.note(
    'a sign-in of them, until it is let in',
    `p50 ${percentile(times, 0.5).toFixed(0)}, longest ${Math.max(...times).toFixed(0)} ms`,
  )
  return students
}

interface HandedIn {
  submissionId: string
  arrivedMs: number
  postMs: number
}

const source = (mark: string) => `a, b = map(int, input().split())\nprint(a + b)  # ${mark}\n`

async function handIn(client: ApiClient, mark: string): Promise<HandedIn> {
  const json = { problemId: PROBLEM, languageType: 2, code: source(mark) }
  const begin = performance.now()
  // Any status but 200 throws.
  const { submissionId } = await client.call('POST', '/submission', submissionCreated, { json })
  return { submissionId, arrivedMs: Date.now(), postMs: performance.now() - begin }
}

/** Hands in while nobody else does anything. */
async function handInQuietly(client: ApiClient): Promise<HandedIn[]> {
  const sent: HandedIn[] = []
  for (let n = 0; n < LOOKS; n += 1) {
    sent.push(await handIn(client, `quiet ${n}`))
    await delay(LOOK_PAUSE_MS)
  }
  return sent
}

async function untilServed(served: ServedJobs, handedIn: readonly HandedIn[]): Promise<void> {
  const endMs = Date.now() + PATIENCE_MS
  const isDone = ({ submissionId }: HandedIn) => !!served.bySubmission.get(submissionId)?.doneMs
  while (!handedIn.every(isDone)) {
    if (Date.now() > endMs)
      throw new Error(`only ${handedIn.filter(isDone).length} of ${handedIn.length} are judged`)
    await delay(LOOK_PAUSE_MS)
  }
}

/** One hands in fifty times; then everybody once, spread over a minute. */
async function benchHandIns(
  students: readonly ApiClient[],
  served: ServedJobs,
  report: Report,
): Promise<void> {
  const [hog, quietOne, ...others] = students
  if (!hog || !quietOne) throw new Error('nobody is there')
  const quiet = await handInQuietly(quietOne)
  await untilServed(served, quiet)
  const greedy = Promise.all(Array.from({ length: HOG }, (_, n) => handIn(hog, `hog ${n}`)))
  const sent = await Promise.all(
    others.map(async (client, index) => {
      await delay((index * SECONDS * 1_000) / others.length)
      return handIn(client, `exam ${index}`)
    }),
  )
  const hogs = await greedy
  await untilServed(served, [...sent, ...hogs])
  const posts = sent.map(({ postMs }) => postMs)
  const quietPosts = quiet.map(({ postMs }) => postMs)
  const [own, base] = [percentile(posts, 0.95), percentile(quietPosts, 0.95)]
  const detail = `${own.toFixed(0)} ÷ ${base.toFixed(0)} ms`
  report.bound(
    `${others.length} hand-ins in ${SECONDS} s: POST ÷ quiet, p95`,
    own / base,
    MOST.post,
    detail,
  )
  reportWaits(served, hogs, sent, report)
}

/** How long everybody's first waited, next to an ideal fair queue, and what of the greedy one's came before it. */
function reportWaits(
  served: ServedJobs,
  hogs: readonly HandedIn[],
  sent: readonly HandedIn[],
  report: Report,
): void {
  const begun = served.beginnings()
  // Ids are in the order in which the server took them.
  const inOrder = hogs.toSorted((left, right) => (left.submissionId < right.submissionId ? -1 : 1))
  const jobs = [
    ...inOrder.map((one, rank) => ({ ...one, rank, isFirst: false })),
    ...sent.map((one) => ({ ...one, rank: 0, isFirst: true })),
  ]
    .toSorted((left, right) => left.arrivedMs - right.arrivedMs)
    .map(({ submissionId, arrivedMs, ...job }) => {
      const { claimedMs = 0, doneMs = 0 } = served.bySubmission.get(submissionId) ?? {}
      const begunMs = begun.get(submissionId) ?? 0
      return {
        ...job,
        arrivedMs,
        claimedMs,
        waitMs: begunMs - arrivedMs,
        tookMs: doneMs - begunMs,
      }
    })
  const ideal = idealWaits(jobs, RUNNERS)
  // A job of another may be at the slot already, or be the one that was claimed ahead for it.
  const spareMs = HEARING_MS + Math.max(...jobs.map(({ tookMs }) => tookMs))
  const firsts = jobs
    .map((job, index) => ({ ...job, idealMs: ideal[index] ?? 0 }))
    .filter(({ isFirst }) => isFirst)
  const over = firsts.map(({ waitMs, idealMs }) => (waitMs - spareMs) / Math.max(idealMs, 1))
  const waits = firsts.map(({ waitMs }) => waitMs)
  const ideals = firsts.map(({ idealMs }) => idealMs)
  report.bound(
    `the worst wait, without ${spareMs.toFixed(0)} ms, ÷ that in an ideal fair queue`,
    Math.max(...over),
    MOST.wait,
    `p95 ${percentile(waits, 0.95).toFixed(0)}, ideal ${percentile(ideals, 0.95).toFixed(0)} ms`,
  )
  const claims = hogs.map(
    ({ submissionId }) => served.bySubmission.get(submissionId)?.claimedMs ?? 0,
  )
  const overtaken = firsts.map(
    ({ arrivedMs, claimedMs }) =>
      claims.filter((atMs) => atMs > arrivedMs && atMs < claimedMs).length,
  )
  // A slot that was given one already, or is given one in the same moment, finishes it first.
  const most = 2 * RUNNERS
  report.note('jobs that hosts gave back, as they were too busy', String(served.handBacks))
  report.bound(`of ${HOG} of one student, before another’s first`, Math.max(...overtaken), most)
}

/** Two runners of one slot each, behind proxies that note what they are given. */
async function startRunners(stack: Stack, served: ServedJobs) {
  const reaper = startReaper()
  const proxies: RunnerProxy[] = []
  const runners: RunnerProcess[] = []
  for (let index = 1; index <= RUNNERS; index += 1) {
    const proxy = await startRunnerProxy(stack.runnerEnvironment, (call) =>
      served.note(call, index),
    )
    proxies.push(proxy)
    const name = `load-${index}`
    runners.push(
      startRunner({
        name,
        stateDir: join(stack.stateDir, name),
        logFile: join(stack.stateDir, `${name}.log`),
        environment: {
          ...stack.runnerEnvironment,
          ...proxy.environment,
          RUNNER_NAME: name,
          RUNNER_SLOTS: '1',
          RUNNER_FIRST_SLOT: 'auto',
        },
        reaper,
        log: console.log,
      }),
    )
  }
  return {
    async untilReady() {
      while (!runners.every((runner) => runner.isReady())) {
        if (runners.some((runner) => runner.givenUp())) throw new Error('a runner does not start')
        await delay(LOOK_PAUSE_MS)
      }
    },
    async stop() {
      await Promise.all(runners.map((runner) => runner.stop(GRACE_MS)))
      await Promise.all(proxies.map((proxy) => proxy.close()))
    },
  }
}

/** Runs it against a stack of its own; answers whether all bounds hold. */
export async function benchLoad(): Promise<boolean> {
  const report = new Report()
  const stateDir = mkdtempSync(join(tmpdir(), 'bench-load-'))
  const variables = { SUBMIT_LIMIT_PER_MINUTE: '0' }
  const stack = await startStack({ port: await freePort(), stateDir, runners: 0, variables })
  try {
    const teacher = await seedDemo(stack.url)
    await addStudents(await clientOf(stack.url, DEMO_ADMIN.username, DEMO_PASSWORD))
    const served = new ServedJobs()
    const runners = await startRunners(stack, served)
    try {
      await runners.untilReady()
      const students = await benchSignIns(stack.url, teacher, report)
      await benchHandIns(students, served, report)
    } finally {
      await runners.stop()
    }
  } finally {
    await stack.stop()
    rmSync(stateDir, { recursive: true, force: true })
  }
  return report.holds
}
