/**
 * `npm run bench -- drain`: how much of its time a slot judges while submissions wait, next to the Worker and 50 ms away
 * from it; and how many times as much several runners judge, of programs that wait rather than work.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { submissionCreated } from '#contract/submissions'
import { startRunnerProxy } from '../stack/runner-proxy.ts'
import { createApiClient } from '../api-client.ts'
import { DEMO_PASSWORD } from '../demo/accounts.ts'
import { freePort } from '../stack/ports.ts'
import { startReaper, type Reaper } from '../process/reaper.ts'
import { startRunner } from '../stack/runner-process.ts'
import { seedDemo } from '../stack/seed-demo.ts'
import { startStack, type Stack } from '../stack/stack.ts'
import { Report } from './report.ts'

const SUBMISSIONS = 240
/** Until the slot is as quick as it gets. */
const WARM_UP = 10
const AWAY_MS = [0, 50]
const LEAST_SHARE = 0.95
const PATIENCE_MS = 120_000
const GRACE_MS = 20_000

const FLEETS = [1, 2, 4]
/** Submissions for each runner of a fleet. */
const WAITING = 40
const LEAST_EFFICIENCY = 0.9

/** The first demo problem: A + B. */
const PROBLEM = 1

/** Another program each time, so that none has been compiled before. */
const source = (name: string) =>
  `#include <stdio.h>\nint main(void) { long long a, b; scanf("%lld %lld", &a, &b); printf("%lld\\n", a + b); } // ${name}\n`

/** One that waits at each case, so that one processor is enough for all runners. It is compiled once. */
const WAITING_SOURCE = `#include <unistd.h>\n${source('waits').replace('{', '{ usleep(50000);')}`

async function handIn({ url }: Stack, codes: readonly string[]): Promise<void> {
  const api = createApiClient(url)
  await api.login('student', DEMO_PASSWORD)
  for (const code of codes)
    await api.call('POST', '/submission', submissionCreated, {
      json: { problemId: PROBLEM, languageType: 0, code },
    })
}

/** What the runner says of each job: when it was judged (ms of this process's clock) and how long that took. */
interface Judged {
  atMs: number
  ms: number
}

/** The share of its time that a slot judged, from the end of the warm-up to the last job. */
function busyShare(judged: readonly Judged[]): number {
  const measured = judged.slice(WARM_UP)
  const [from, to] = [judged[WARM_UP - 1]?.atMs ?? 0, judged.at(-1)?.atMs ?? 0]
  return measured.reduce((sum, { ms }) => sum + ms, 0) / (to - from)
}

/** Has one slot judge what waits. */
async function drain(
  stack: Stack,
  reaper: Reaper,
  name: string,
  awayMs: number,
): Promise<Judged[]> {
  const proxy = await startRunnerProxy(stack.runnerEnvironment, async ({ stage }) => {
    if (stage === 'asked' && awayMs > 0) await delay(awayMs)
    return true
  })
  // The identity, tools and test data of the stack's own runner, which has ended.
  const stateDir = join(stack.stateDir, 'runner-1')
  const logFile = join(stack.stateDir, `${name}.log`)
  const environment = {
    ...stack.runnerEnvironment,
    ...proxy.environment,
    RUNNER_SLOTS: '1',
    RUNNER_FIRST_SLOT: 'auto',
  }
  const runner = startRunner({ name, stateDir, logFile, environment, reaper, log: console.log })
  try {
    const endMs = Date.now() + PATIENCE_MS
    for (;;) {
      const judged = readJudged(logFile)
      if (judged.length >= SUBMISSIONS) return judged
      if (Date.now() > endMs) throw new Error(`only ${judged.length} judged: ${runner.logTail()}`)
      await delay(200)
    }
  } finally {
    await runner.stop(GRACE_MS)
    await proxy.close()
  }
}

function readJudged(logFile: string): Judged[] {
  const lines = readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"judged"'))
  return lines.map((line) => {
    const { at, ms } = JSON.parse(line) as { at: string; ms: number }
    return { atMs: Date.parse(at), ms }
  })
}

/** Submissions a second that some runners of one slot each judge together, while more wait. */
async function rateOf(stack: Stack, reaper: Reaper, runners: number): Promise<number> {
  await handIn(stack, Array<string>(WAITING * runners).fill(WAITING_SOURCE))
  const logFiles: string[] = []
  const fleet = Array.from({ length: runners }, (_, index) => {
    const name = `fleet-${runners}-${index}`
    const logFile = join(stack.stateDir, `${name}.log`)
    logFiles.push(logFile)
    const environment = {
      ...stack.runnerEnvironment,
      RUNNER_NAME: name,
      RUNNER_SLOTS: '1',
      RUNNER_FIRST_SLOT: 'auto',
    }
    const stateDir = join(stack.stateDir, name)
    return startRunner({ name, stateDir, logFile, environment, reaper, log: console.log })
  })
  try {
    const endMs = Date.now() + PATIENCE_MS
    let judged: Judged[] = []
    while (judged.length < WAITING * runners) {
      if (Date.now() > endMs) throw new Error(`only ${judged.length} judged`)
      await delay(200)
      judged = logFiles.flatMap(readJudged).toSorted((a, b) => a.atMs - b.atMs)
    }
    // From when all runners are there until the first finds nothing more.
    const all = logFiles.map(readJudged)
    const fromMs = Math.max(...all.map((own) => own[0]?.atMs ?? 0))
    const toMs = Math.min(...all.map((own) => own.at(-1)?.atMs ?? 0))
    const between = judged.filter(({ atMs }) => atMs > fromMs && atMs <= toMs)
    return (1_000 * between.length) / (toMs - fromMs)
  } finally {
    await Promise.all(fleet.map((runner) => runner.stop(GRACE_MS)))
  }
}

async function benchFleets(stack: Stack, reaper: Reaper, report: Report): Promise<void> {
  let alone = 0
  for (const runners of FLEETS) {
    const rate = await rateOf(stack, reaper, runners)
    const detail = `${rate.toFixed(2)} a second`
    if (runners === 1) {
      alone = rate
      report.note('one runner, waiting programs', detail)
    } else {
      const what = `${runners} runners ÷ ${runners} times one, waiting programs`
      report.least(what, rate / (runners * alone), LEAST_EFFICIENCY, detail)
    }
  }
}

/** Runs it against a stack of its own; answers whether all bounds hold. */
export async function benchDrain(): Promise<boolean> {
  const report = new Report()
  const stateDir = mkdtempSync(join(tmpdir(), 'bench-drain-'))
  const variables = { SUBMIT_LIMIT_PER_MINUTE: '0' }
  const reaper = startReaper()
  const stack = await startStack({ port: await freePort(), stateDir, runners: 1, variables })
  try {
    await seedDemo(stack.url)
    await Promise.all(stack.runners.map((runner) => runner.stop(GRACE_MS)))
    for (const awayMs of AWAY_MS) {
      const name = `away-${awayMs}`
      await handIn(
        stack,
        Array.from({ length: SUBMISSIONS }, (_, n) => source(`${name} ${n}`)),
      )
      const judged = await drain(stack, reaper, name, awayMs)
      const mean = judged.reduce((sum, { ms }) => sum + ms, 0) / judged.length
      const detail = `${SUBMISSIONS} programs of ${mean.toFixed(0)} ms`
      report.least(
        `slot busy, ${awayMs} ms from the Worker`,
        busyShare(judged),
        LEAST_SHARE,
        detail,
      )
    }
    await benchFleets(stack, reaper, report)
  } finally {
    await stack.stop()
    rmSync(stateDir, { recursive: true, force: true })
  }
  return report.holds
}
