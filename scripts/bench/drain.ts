/**
 * `npm run bench -- drain`: how much of its time a slot judges while submissions wait, next to the Worker and 50 ms away from it. Then
 * how many more submissions several runners judge than one runner, with programs that sleep rather than work.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { startReaper, type Reaper } from '../process/reaper.ts'
import { startRunnerProxy } from '../stack/runner-proxy.ts'
import type { Stack } from '../stack/stack.ts'
import { clientOf, handIn, startOneSlot, sumInC, withDemoJudge } from './demo-judge.ts'
import type { Report } from './report.ts'

const SUBMISSIONS = 240
/** The number of submissions until the slot has reached its full speed. */
const WARM_UP = 10
const AWAY_MS = [0, 50]
const LEAST_SHARE = 0.95
const PATIENCE_MS = 600_000

const FLEETS = [1, 2, 4]
/** Submissions for each runner of a fleet. */
const WAITING = 40
const LEAST_EFFICIENCY = 0.9

/** A program that sleeps in each case, so that one processor is enough for all runners. It is compiled once. */
const WAITING_SOURCE = `#include <unistd.h>\n${sumInC('waits').replace('{', '{ usleep(50000);')}`

/** A job in a runner's log: when it was judged (epoch ms), and how long that took. */
interface Judged {
  atMs: number
  ms: number
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

/** Submits programs, has runners with these names judge them all, and returns the jobs of each runner. */
async function judgeAll(
  stack: Stack,
  reaper: Reaper,
  names: readonly string[],
  codes: readonly string[],
  environment: Record<string, string> = {},
): Promise<Judged[][]> {
  const api = await clientOf(stack.url, 'student')
  for (const code of codes) await handIn(api, 0, code)
  const fleet = names.map((name) => startOneSlot(stack, reaper, name, environment))
  try {
    const endMs = Date.now() + PATIENCE_MS
    for (;;) {
      const judged = fleet.map(({ logFile }) => readJudged(logFile))
      const count = judged.flat().length
      if (count >= codes.length) return judged
      if (Date.now() > endMs) throw new Error(`only ${count} judged: ${fleet[0]?.logTail()}`)
      await delay(200)
    }
  } finally {
    await Promise.all(fleet.map((runner) => runner.stop()))
  }
}

/** Reports how busy a slot `awayMs` from the Worker is: time spent judging ÷ time from the end of the warm-up to the last job. */
async function benchShare(stack: Stack, reaper: Reaper, awayMs: number, report: Report) {
  const proxy = await startRunnerProxy(stack.runnerEnvironment, async ({ stage }) => {
    if (stage === 'asked' && awayMs > 0) await delay(awayMs)
    return true
  })
  const name = `away-${awayMs}`
  const codes = Array.from({ length: SUBMISSIONS }, (_, n) => sumInC(`${name} ${n}`))
  const [judged = []] = await judgeAll(stack, reaper, [name], codes, proxy.environment)
  await proxy.close()
  const spent = judged.slice(WARM_UP).reduce((sum, { ms }) => sum + ms, 0)
  const [from, to] = [judged[WARM_UP - 1]?.atMs ?? 0, judged.at(-1)?.atMs ?? 0]
  const detail = `${SUBMISSIONS} programs of ${(spent / (judged.length - WARM_UP)).toFixed(0)} ms`
  const what = `slot busy, ${awayMs} ms from the Worker`
  report.least(what, spent / (to - from), LEAST_SHARE, detail)
}

/** Submissions a second of several runners together, measured from when each has judged one until the first runner has none left. */
async function rateOf(stack: Stack, reaper: Reaper, runners: number): Promise<number> {
  const names = Array.from({ length: runners }, (_, index) => `fleet-${runners}-${index}`)
  const codes = Array<string>(WAITING * runners).fill(WAITING_SOURCE)
  const judged = await judgeAll(stack, reaper, names, codes)
  const fromMs = Math.max(...judged.map((own) => own[0]?.atMs ?? 0))
  const toMs = Math.min(...judged.map((own) => own.at(-1)?.atMs ?? 0))
  const between = judged.flat().filter(({ atMs }) => atMs > fromMs && atMs <= toMs)
  return (1_000 * between.length) / (toMs - fromMs)
}

export async function benchDrain(report: Report): Promise<void> {
  const reaper = startReaper()
  await withDemoJudge({ runners: 0 }, async (stack) => {
    for (const awayMs of AWAY_MS) await benchShare(stack, reaper, awayMs, report)
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
  })
}
