/**
 * `npm run bench -- live`: how soon an open page shows a verdict once its result is stored, with hints and where no socket gets
 * through or the object behind it dies; and what a thousand sockets that wait cost.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import * as z from 'zod'
import { job, runnerRegistered, type Job } from '#contract/judging'
import { LIVE_PING, LIVE_PONG } from '#contract/live'
import { submissionCreated } from '#contract/submissions'
import { judgeOutcome, judgeSubtask, STATUS } from '#contract/verdicts'
import { POLLING_MS } from '../../web/lib/api/polling.ts'
import { CHANNELS } from '../../worker/lib/channel-limits.ts'
import { createApiClient } from '../api-client.ts'
import { launchBrowser, signIn } from '../test/browser.ts'
import { DEMO_PASSWORD } from '../demo/accounts.ts'
import { freePort } from '../stack/ports.ts'
import { seedDemo } from '../stack/seed-demo.ts'
import { startStack, type Stack } from '../stack/stack.ts'
import { beginSession, fillPeople, STUDENT_IDS } from './installation.ts'
import { percentile, Report } from './report.ts'
import { startBenchStack, type BenchStack } from './stack.ts'
import { WATCH_VERDICT } from './watch-verdict.ts'

const ROUNDS = 40
const KILLS = 5
/** Bounds of what a page with hints takes, and of one without, in ms. */
const MOST = { medianMs: 100, p95Ms: 300, polledMs: 10_000 } as const
/** The first demo problem. */
const PROBLEM = 1
const PERSON = 'student2'
const SOCKETS = 1_000
/** How long they wait. */
const WAIT_MS = 10_000

/** A judge host that is played, so that the moment is known at which its result is stored. */
class Host {
  private readonly url: string
  private token: string

  constructor(url: string, registrationToken: string) {
    this.url = `${url}/api/runner`
    this.token = registrationToken
  }

  private async call<T extends z.ZodType>(method: string, path: string, json: unknown, data: T) {
    const answer = await fetch(this.url + path, {
      method,
      headers: { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(json),
    })
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    const body = (await answer.json()) as { data: unknown }
    return data.parse(body.data)
  }

  async register(): Promise<void> {
    const host = { hostname: 'h', kernel: 'k', cpu: 'c', cores: 2, memoryKb: 1, cgroup: 'v2' }
    const json = { name: 'played', slots: 1, version: '0', host }
    this.token = (await this.call('POST', '/register', json, runnerRegistered)).token
  }

  claim(): Promise<Job> {
    return this.call('POST', '/jobs/claim', {}, job)
  }

  /** Every case accepted. */
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
    const json = { lease, ...outcome, compileMessage: null, reason: null, outputs: [] }
    await this.call('PUT', `/jobs/${judgementId}/result`, json, z.null())
  }
}

/** Milliseconds from the stored result to the verdict on an open page, once for each round. */
async function watchVerdicts(page: Page, host: Host, handIn: () => Promise<string>) {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await handIn()
    await page.goto(`/course/Demo/submission/${id}`)
    await page.locator('main [data-status="-1"]').first().waitFor()
    const claimed = await host.claim()
    const shown = page.evaluate<number>(WATCH_VERDICT)
    // Not in step with polling.
    await delay((POLLING_MS.first * round) / ROUNDS)
    await host.report(claimed)
    const storedMs = Date.now()
    times.push(Math.max(0, (await shown) - storedMs))
  }
  return times
}

/** The same for pages whose socket dies, with the object behind it, before the result is stored, and does not come back. */
async function watchKilled(
  stack: Stack,
  variables: Record<string, string>,
  page: Page,
  host: Host,
  handIn: () => Promise<string>,
) {
  const restart = async (liveUpdates: 'on' | 'off') => {
    await stack.killWorker()
    variables['LIVE_UPDATES'] = liveUpdates
    await stack.startWorker()
  }
  const times: number[] = []
  for (let round = 0; round < KILLS; round += 1) {
    await restart('on')
    const id = await handIn()
    const opened = page.waitForEvent('websocket')
    // With all that it loads later, for the Worker that serves it dies too.
    await page.goto(`/course/Demo/submission/${id}`, { waitUntil: 'networkidle' })
    await opened
    const claimed = await host.claim()
    const shown = page.evaluate<number>(WATCH_VERDICT)
    await restart('off')
    await host.report(claimed)
    const storedMs = Date.now()
    times.push(Math.max(0, (await shown) - storedMs))
  }
  return times
}

async function benchVerdicts(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-live-'))
  const variables: Record<string, string> = { SUBMIT_LIMIT_PER_MINUTE: '0' }
  const stack = await startStack({
    port: await freePort(),
    stateDir: folder,
    runners: 0,
    variables,
  })
  const browser = await launchBrowser()
  try {
    await seedDemo(stack.url)
    const host = new Host(stack.url, stack.runnerEnvironment['RUNNER_REGISTRATION_TOKEN'] ?? '')
    await host.register()
    const api = createApiClient(stack.url)
    await api.login(PERSON, DEMO_PASSWORD)
    let count = 0
    const handIn = async () => {
      count += 1
      const json = { problemId: PROBLEM, languageType: 0, code: `int main(void){} // ${count}` }
      return (await api.call('POST', '/submission', submissionCreated, { json })).submissionId
    }
    for (const isBlocked of [false, true]) {
      const context = await browser.newContext({ baseURL: stack.url })
      const page = await context.newPage()
      if (isBlocked) await page.routeWebSocket('**/api/live', (socket) => void socket.close())
      await signIn(page, PERSON)
      const times = await watchVerdicts(page, host, handIn)
      const [median, p95] = [percentile(times, 0.5), percentile(times, 0.95)]
      if (isBlocked) {
        const detail = `median ${median.toFixed(0)} ms`
        report.bound('stored → on the page without a socket: p95, ms', p95, MOST.polledMs, detail)
      } else {
        report.bound('stored → on the page: median, ms', median, MOST.medianMs)
        report.bound('stored → on the page: p95, ms', p95, MOST.p95Ms)
      }
      await context.close()
    }
    const page = await browser.newPage({ baseURL: stack.url })
    await signIn(page, PERSON)
    const killed = await watchKilled(stack, variables, page, host, handIn)
    const what = `stored → on the page, its object killed ${KILLS} times: longest, ms`
    report.bound(what, Math.max(...killed), MOST.polledMs)
  } finally {
    await browser.close()
    await stack.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Opens a socket of somebody. */
async function openSocket(stack: BenchStack, cookie: string) {
  const { status, webSocket } = await stack.miniflare.dispatchFetch('http://judge.test/api/live', {
    headers: { Upgrade: 'websocket', Origin: 'http://judge.test', Cookie: cookie },
  })
  if (!webSocket) throw new Error(`no socket: ${status}`)
  webSocket.accept()
  return webSocket
}

async function benchSockets(report: Report): Promise<void> {
  const stack = await startBenchStack()
  try {
    await fillPeople(stack)
    const now = Math.floor(Date.now() / 1_000)
    const before = stack.processMb()
    const sockets = []
    for (const userId of STUDENT_IDS.slice(0, SOCKETS / CHANNELS.sockets)) {
      const cookie = await beginSession(stack, userId, now)
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
    // The look itself is one.
    const asked = (await calls()) - begin - 1
    report.bound(`${sockets.length} sockets that wait: calls of the Worker, so queries`, asked, 0)
    const detail = `${stack.cpuMs() - cpuMs} ms of CPU, ${(stack.processMb() - before).toFixed(0)} MB more`
    report.bound('of their pings, without an answer', sockets.length - pongs, 0, detail)
  } finally {
    await stack.stop()
  }
}

/** Answers whether every bound holds. */
export async function benchLive(): Promise<boolean> {
  const report = new Report()
  await benchSockets(report)
  await benchVerdicts(report)
  return report.holds
}
