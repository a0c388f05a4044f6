/**
 * `npm run bench -- drain`: how much of its time a slot judges while submissions wait, next to the Worker and 50 ms away
 * from it.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { submissionCreated } from '#contract/submissions'
import { startRunnerProxy } from '../runner-proxy.ts'
import { createApiClient } from '../api-client.ts'
import { DEMO_PASSWORD } from '../demo/accounts.ts'
import { freePort } from '../ports.ts'
import { startReaper, type Reaper } from '../reaper.ts'
import { startRunner } from '../runner-process.ts'
import { seedDemo } from '../seed-demo.ts'
import { startStack, type Stack } from '../stack.ts'
import { Report } from './report.ts'

const SUBMISSIONS = 120
/** Until the slot is as quick as it gets. */
const WARM_UP = 10
const AWAY_MS = [0, 50]
const LEAST_SHARE = 0.95
const PATIENCE_MS = 120_000
const GRACE_MS = 20_000

/** The first demo problem: A + B. */
const PROBLEM = 1

/** Another program each time, so that none has been compiled before. */
const source = (name: string) =>
  `#include <stdio.h>\nint main(void) { long long a, b; scanf("%lld %lld", &a, &b); printf("%lld\\n", a + b); } // ${name}\n`

async function handIn({ url }: Stack, name: string): Promise<void> {
  const api = createApiClient(url)
  await api.login('student', DEMO_PASSWORD)
  for (let n = 0; n < SUBMISSIONS; n += 1)
    await api.call('POST', '/submission', submissionCreated, {
      json: { problemId: PROBLEM, languageType: 0, code: source(`${name} ${n}`) },
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
      await handIn(stack, name)
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
  } finally {
    await stack.stop()
    rmSync(stateDir, { recursive: true, force: true })
  }
  return report.holds
}
