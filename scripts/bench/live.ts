/**
 * `npm run bench -- live`: how soon an open page shows a verdict after its result is stored. It measures this with hints, without a
 * socket, and when the Durable Object behind the socket dies. It also measures what a thousand waiting sockets cost.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import * as z from 'zod'
import { job, runnerRegistered, type Job } from '#contract/judging'
import { LIVE_PING, LIVE_PONG } from '#contract/live'
import { judgeOutcome, judgeSubtask, STATUS } from '#contract/verdicts'
import { POLLING_MS } from '../../web/lib/api/polling.ts'
import { CHANNELS } from '../../worker/lib/channel-limits.ts'
import { createApiClient } from '../api-client.ts'
import type { Stack } from '../stack/stack.ts'
import { launchBrowser, signIn } from '../test/browser.ts'
import { clientOf, handIn, withDemoJudge } from './demo-judge.ts'
import { fillPeople, STUDENT_IDS } from './installation.ts'
import { percentile, type Report } from './report.ts'
import { withBenchStack, type BenchStack } from './stack.ts'

const ROUNDS = 40
const KILLS = 5
/** Bounds for pages with hints, and for pages without, ms. */
const MOST = { medianMs: 100, p95Ms: 300, polledMs: 10_000 } as const
const PERSON = 'student2'
const SOCKETS = 1_000
/** How long the sockets wait. */
const WAIT_MS = 10_000

/** A script for the page of a submission that waits for its verdict: returns when the page shows the verdict. */
const WATCH_VERDICT = `new Promise((resolve) => {
  function look() {
    if (!document.querySelector('main [data-status="0"]')) return
    observer.disconnect()
    resolve(Date.now())
  }
  const observer = new MutationObserver(look)
  observer.observe(document, { subtree: true, childList: true, attributes: true })
  look()
})`

/** A simulated judge host: so the moment is known at which a result is stored. */
async function registerHost({ url, runnerEnvironment }: Stack) {
  const api = createApiClient(url)
  let token = runnerEnvironment['RUNNER_REGISTRATION_TOKEN']
  const call = <T extends z.ZodType>(method: string, path: string, schema: T, json: unknown) =>
    api.call(method, `/runner${path}`, schema, {
      json,
      headers: { Authorization: `Bearer ${token}` },
    })
  const host = { hostname: 'h', kernel: 'k', cpu: 'c', cores: 2, memoryKb: 1, cgroup: 'v2' }
  const json = { name: 'played', slots: 1, version: '0', host }
  token = (await call('POST', '/register', runnerRegistered, json)).token
  return {
    claim: () => call('POST', '/jobs/claim', job, {}),
    /** Reports every case as accepted. */
    async report({ judgementId, lease, tasks }: Job): Promise<void> {
      const ran = { status: STATUS.AC, runTime: 3, memoryUsage: 900 }
      const outcome = judgeOutcome(
        tasks.map(({ caseCount, taskScore }) =>
          judgeSubtask(
            Array.from({ length: caseCount }, () => ran),
            taskScore,
          ),
        ),
      )
      const result = { lease, ...outcome, compileMessage: null, reason: null, outputs: [] }
      await call('PUT', `/jobs/${judgementId}/result`, z.null(), result)
    },
  }
}

interface Watching {
  page: Page
  host: Awaited<ReturnType<typeof registerHost>>
  /** Submits another program; returns the submission's id. */
  next(): Promise<string>
}

/** Milliseconds from the stored result to the verdict on the open page; `before` happens before the result is stored. */
async function untilShown({ page, host }: Watching, before: () => Promise<void>): Promise<number> {
  const claimed = await host.claim()
  const shown = page.evaluate<number>(WATCH_VERDICT)
  await before()
  await host.report(claimed)
  const storedMs = Date.now()
  return Math.max(0, (await shown) - storedMs)
}

/** Measures on pages with a socket, or on pages whose sockets are blocked. */
async function watchVerdicts(watching: Watching): Promise<number[]> {
  const { page, next } = watching
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await page.goto(`/course/Demo/submission/${await next()}`)
    await page.locator('main [data-status="-1"]').first().waitFor()
    // Each round waits a different time, so that the rounds are not in step with polling.
    times.push(await untilShown(watching, () => delay((POLLING_MS.first * round) / ROUNDS)))
  }
  await page.close()
  return times
}

/** Measures on pages whose socket, and the Durable Object behind it, die for good before the result is stored. */
async function watchKilled(
  watching: Watching,
  restart: (liveUpdates: 'on' | 'off') => Promise<void>,
) {
  const { page, next } = watching
  const times: number[] = []
  for (let round = 0; round < KILLS; round += 1) {
    await restart('on')
    const opened = page.waitForEvent('websocket')
    // The page must have loaded everything, because the Worker that serves it dies, too.
    await page.goto(`/course/Demo/submission/${await next()}`, { waitUntil: 'networkidle' })
    await opened
    times.push(await untilShown(watching, () => restart('off')))
  }
  return times
}

async function benchVerdicts(stack: Stack, variables: Record<string, string>, report: Report) {
  const host = await registerHost(stack)
  const api = await clientOf(stack.url, PERSON)
  let count = 0
  const next = () => handIn(api, 0, `int main(void){} // ${(count += 1)}`)
  const browser = await launchBrowser()
  try {
    const open = async () => {
      const page = await browser.newPage({ baseURL: stack.url })
      await signIn(page, PERSON)
      return { page, host, next }
    }
    const hinted = await watchVerdicts(await open())
    report.bound('stored → on the page: median, ms', percentile(hinted, 0.5), MOST.medianMs)
    report.bound('stored → on the page: p95, ms', percentile(hinted, 0.95), MOST.p95Ms)
    const blocked = await open()
    await blocked.page.routeWebSocket('**/api/live', (socket) => void socket.close())
    const polled = await watchVerdicts(blocked)
    const detail = `median ${percentile(polled, 0.5).toFixed(0)} ms`
    const without = 'stored → on the page without a socket: p95, ms'
    report.bound(without, percentile(polled, 0.95), MOST.polledMs, detail)
    const killed = await watchKilled(await open(), async (liveUpdates) => {
      await stack.killWorker()
      variables['LIVE_UPDATES'] = liveUpdates
      await stack.startWorker()
    })
    const what = `stored → on the page, its object killed ${KILLS} times: longest, ms`
    report.bound(what, Math.max(...killed), MOST.polledMs)
  } finally {
    await browser.close()
  }
}

/** Opens a person's socket. */
async function openSocket(stack: BenchStack, cookie: string) {
  const { status, webSocket } = await stack.miniflare.dispatchFetch('http://judge.test/api/live', {
    headers: { Upgrade: 'websocket', Origin: 'http://judge.test', Cookie: cookie },
  })
  if (!webSocket) throw new Error(`no socket: ${status}`)
  webSocket.accept()
  return webSocket
}

async function benchSockets(stack: BenchStack, report: Report): Promise<void> {
  const { beginSession } = await fillPeople(stack)
  const before = stack.processMb()
  const sockets = []
  for (const userId of STUDENT_IDS.slice(0, SOCKETS / CHANNELS.sockets)) {
    const cookie = await beginSession(userId)
    for (let count = 0; count < CHANNELS.sockets; count += 1)
      sockets.push(await openSocket(stack, cookie))
  }
  let pongs = 0
  for (const socket of sockets)
    socket.addEventListener('message', ({ data }) => {
      if (data === LIVE_PONG) pongs += 1
    })
  const calls = async () => {
    const answer = await stack.miniflare.dispatchFetch('http://judge.test/bench/calls')
    return Number(await answer.text())
  }
  const [begin, cpuMs] = [await calls(), stack.cpuMs()]
  for (const socket of sockets) socket.send(LIVE_PING)
  await delay(WAIT_MS)
  // The question for the number of calls is a call, too.
  const asked = (await calls()) - begin - 1
  report.bound(`${sockets.length} sockets that wait: calls of the Worker, so queries`, asked, 0)
  const detail = `${stack.cpuMs() - cpuMs} ms of CPU, ${(stack.processMb() - before).toFixed(0)} MB more`
  report.bound('of their pings, without an answer', sockets.length - pongs, 0, detail)
}

export async function benchLive(report: Report): Promise<void> {
  await withBenchStack((stack) => benchSockets(stack, report))
  const variables: Record<string, string> = {}
  await withDemoJudge({ runners: 0, variables }, (stack) => benchVerdicts(stack, variables, report))
}
