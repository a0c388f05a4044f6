/**
 * `npm run bench -- load`: exam day. Three hundred students sign in at once from one address. One of them submits fifty times;
 * then all students submit within a minute, and two runners judge.
 */
import { setTimeout as delay } from 'node:timers/promises'
import * as z from 'zod'
import { batchSignupResult } from '#contract/people/auth'
import type { ApiClient } from '../api-client.ts'
import { startReaper } from '../process/reaper.ts'
import { startRunnerProxy } from '../stack/runner-proxy.ts'
import type { Stack } from '../stack/stack.ts'
import { clientOf, handIn, startOneSlot, sumInPython, withDemoJudge } from './demo-judge.ts'
import { percentile, timed, type Report } from './report.ts'
import { idealWaits, ServedJobs } from './served-jobs.ts'

const STUDENTS = 300
const SECONDS = 60
const RUNNERS = 2
/** Submissions of one greedy student, before all others. */
const HOG = 50
const COURSE = 'Demo'
/** Rows of one sign-up file, which are stored at once. */
const ROWS = 50
const LOOKS = 60
const LOOK_PAUSE_MS = 100
const PATIENCE_MS = 600_000

/** Bounds: the time of a POST ÷ its time on a quiet judge; the wait of a submission ÷ its wait in an ideal queue. */
const MOST = { post: 4, wait: 1.2 } as const
/** Number of sign-ins one after the other. Their median time counts as the time of one hash. */
const QUIET_SIGN_INS = 5
/** The time until an idle runner hears of a job, or until a busy one gets its next job, ms. */
const HEARING_MS = 100

const anything = z.unknown()
const nameOf = (index: number) => `exam${index}`

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

/** Reads pages of a course, one after the other, until `isOver`; returns the time of each, ms. */
async function readPages(teacher: ApiClient, isOver: (looks: number) => boolean) {
  const times: number[] = []
  while (!isOver(times.length)) {
    const path = [`/course/${COURSE}`, `/problem?course=${COURSE}`, '/ann'][times.length % 3] ?? ''
    times.push(await timed(() => teacher.call('GET', path, anything)))
    await delay(LOOK_PAUSE_MS)
  }
  return times
}

/** All students sign in at once. After a 429 they try again when it says, as a browser does. */
async function benchSignIns(url: string, teacher: ApiClient, report: Report): Promise<ApiClient[]> {
  const idle = await readPages(teacher, (looks) => looks === LOOKS)
  const quiet: number[] = []
  for (let index = 0; index < QUIET_SIGN_INS; index += 1)
    quiet.push(await timed(() => clientOf(url, nameOf(index), `${nameOf(index)}-password`)))
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
  const what = `pages beside ${STUDENTS} sign-ins − idle, p95, ÷ one whole hash`
  const longer = percentile(beside, 0.95) - percentile(idle, 0.95)
  report.ratio(what, longer, percentile(quiet, 0.5), 1)
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

async function send(client: ApiClient, mark: string): Promise<HandedIn> {
  const begin = performance.now()
  const submissionId = await handIn(client, 2, sumInPython(mark))
  return { submissionId, arrivedMs: Date.now(), postMs: performance.now() - begin }
}

/** Submits while nobody else does anything. */
async function handInQuietly(client: ApiClient): Promise<HandedIn[]> {
  const sent: HandedIn[] = []
  for (let n = 0; n < LOOKS; n += 1) {
    sent.push(await send(client, `quiet ${n}`))
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

/** One student submits fifty times; then everybody submits once, spread over a minute. */
async function benchHandIns(
  students: readonly ApiClient[],
  served: ServedJobs,
  report: Report,
): Promise<void> {
  const [hog, quietOne, ...others] = students
  if (!hog || !quietOne) throw new Error('nobody is there')
  const quiet = await handInQuietly(quietOne)
  await untilServed(served, quiet)
  const greedy = Promise.all(Array.from({ length: HOG }, (_, n) => send(hog, `hog ${n}`)))
  const sent = await Promise.all(
    others.map(async (client, index) => {
      await delay((index * SECONDS * 1_000) / others.length)
      return send(client, `exam ${index}`)
    }),
  )
  const hogs = await greedy
  await untilServed(served, [...sent, ...hogs])
  const p95 = (all: readonly HandedIn[]) =>
    percentile(
      all.map(({ postMs }) => postMs),
      0.95,
    )
  const what = `${others.length} hand-ins in ${SECONDS} s: POST ÷ quiet, p95`
  report.ratio(what, p95(sent), p95(quiet), MOST.post)
  reportWaits(served, hogs, sent, report)
}

/** Reports how long first submissions waited next to an ideal fair queue, and how many of the greedy student's were judged before them. */
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
  // A slot may already judge another job, or have claimed another job ahead.
  const spareMs = HEARING_MS + Math.max(...jobs.map(({ tookMs }) => tookMs))
  const firsts = jobs
    .map((job, index) => ({ ...job, idealMs: ideal[index] ?? 0 }))
    .filter(({ isFirst }) => isFirst)
  const over = firsts.map(({ waitMs, idealMs }) => (waitMs - spareMs) / Math.max(idealMs, 1))
  const what = `the worst wait, without ${spareMs.toFixed(0)} ms, ÷ that in an ideal fair queue`
  report.bound(what, Math.max(...over), MOST.wait)
  const claims = jobs.filter(({ isFirst }) => !isFirst).map(({ claimedMs }) => claimedMs)
  const overtaken = firsts.map(
    ({ arrivedMs, claimedMs }) =>
      claims.filter((atMs) => atMs > arrivedMs && atMs < claimedMs).length,
  )
  // A slot first finishes a job that it already holds or gets at the same moment.
  const most = 2 * RUNNERS
  report.bound(`of ${HOG} of one student, before another’s first`, Math.max(...overtaken), most)
}

/** Starts two runners with one slot each, behind proxies that note their jobs; returns a function that stops them. */
async function startRunners(stack: Stack, served: ServedJobs): Promise<() => Promise<void>> {
  const reaper = startReaper()
  const proxies = await Promise.all(
    Array.from({ length: RUNNERS }, (_, index) =>
      startRunnerProxy(stack.runnerEnvironment, (call) => served.note(call, index)),
    ),
  )
  const runners = proxies.map(({ environment }, index) =>
    startOneSlot(stack, reaper, `load-${index}`, environment),
  )
  while (!runners.every((runner) => runner.isReady())) {
    if (runners.some((runner) => runner.givenUp())) throw new Error('a runner does not start')
    await delay(LOOK_PAUSE_MS)
  }
  return async () => {
    await Promise.all(runners.map((runner) => runner.stop()))
    await Promise.all(proxies.map((proxy) => proxy.close()))
  }
}

export async function benchLoad(report: Report): Promise<void> {
  await withDemoJudge({ runners: 0 }, async (stack) => {
    await addStudents(await clientOf(stack.url, 'admin'))
    const served = new ServedJobs()
    const stopRunners = await startRunners(stack, served)
    try {
      const teacher = await clientOf(stack.url, 'teacher')
      const students = await benchSignIns(stack.url, teacher, report)
      await benchHandIns(students, served, report)
    } finally {
      await stopRunners()
    }
  })
}
