/**
 * `npm run bench -- runs`: how soon a sample run shows its output, next to the compiler and the program alone; and how long
 * submissions wait for their verdict while a hundred runs a minute are made.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sampleRun, sampleRunStarted } from '#contract/sample-runs'
import { submissionCreated, submissionDetail } from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import { createApiClient, type ApiClient } from '../api-client.ts'
import { DEMO_PASSWORD } from '../demo/accounts.ts'
import { freePort } from '../ports.ts'
import { seedDemo } from '../seed-demo.ts'
import { startStack } from '../stack.ts'
import { percentile, Report, timed } from './report.ts'

const execute = promisify(execFile)

const ROUNDS = 15
const SUBMISSIONS = 20
/** How often the API is asked, in ms. */
const LOOK_MS = 20
/** People who run, each so often, in ms: a hundred runs a minute together. */
const RUNNERS = ['student2', 'student3', 'student4', 'ta']
const EACH_MS = RUNNERS.length * 600

/** The bound of a run's time, in that of g++ and the program on each sample. */
const MOST_RATIO = 1.2

/** The first demo problem: A + B, with two samples. */
const PROBLEM = 1

/** Another program each time, so that none has been compiled before. */
const source = (round: string) =>
  `#include <iostream>\nint main() { long long a, b; std::cin >> a >> b; std::cout << a + b; } // ${round}\n`

async function signedIn(url: string, username: string): Promise<ApiClient> {
  const api = createApiClient(url)
  await api.login(username, DEMO_PASSWORD)
  return api
}

/** Runs the samples; ends with their output. */
async function runSamples(api: ApiClient, code: string): Promise<void> {
  const json = { languageType: 1, code }
  const path = `/problem/${PROBLEM}/run`
  const { runId } = await api.call('POST', path, sampleRunStarted, { json })
  for (;;) {
    const run = await api.call('GET', `/run/${runId}`, sampleRun)
    if (run.state === 'done' && run.status === STATUS.AC) return
    if (run.state === 'done' || run.state === 'failed') throw new Error(JSON.stringify(run))
    await delay(LOOK_MS)
  }
}

/** Hands in; ends with the verdict. */
async function submit(api: ApiClient, code: string): Promise<void> {
  const json = { problemId: PROBLEM, languageType: 1, code }
  const { submissionId } = await api.call('POST', '/submission', submissionCreated, { json })
  for (;;) {
    const { status } = await api.call('GET', `/submission/${submissionId}`, submissionDetail)
    if (status !== STATUS.PENDING) return
    await delay(LOOK_MS)
  }
}

/** A run next to g++ and the program, in turn; of each person in turn, because runs have a rate. */
async function benchOutput(url: string, folder: string, report: Report): Promise<void> {
  const people = await Promise.all(RUNNERS.map((username) => signedIn(url, username)))
  const [path, program] = [join(folder, 'main.cpp'), join(folder, 'main')]
  const [runs, plain]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    const code = source(`run ${round}`)
    const person = people[round % people.length]
    if (person) runs.push(await timed(() => runSamples(person, code)))
    await writeFile(path, code)
    plain.push(
      await timed(async () => {
        await execute('/usr/bin/g++', ['-O2', '-std=gnu++20', '-o', program, path])
        for (const input of ['1 2', '-5 5'])
          await execute('/usr/bin/sh', ['-c', 'echo "$1" | "$0"', program, input])
      }),
    )
  }
  const [own, base] = [percentile(runs, 0.5), percentile(plain, 0.5)]
  const detail = `${own.toFixed(0)} ÷ ${base.toFixed(0)} ms`
  report.bound('POST to output, median ÷ g++ and the samples', own / base, MOST_RATIO, detail)
}

/** The times of submissions, one after the other. */
async function timeSubmissions(api: ApiClient, name: string): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < SUBMISSIONS; n += 1)
    times.push(await timed(() => submit(api, source(`${name} ${n}`))))
  return times
}

/** Submissions alone, then beside a hundred runs a minute. A run at work is stopped at the end of its case or compilation. */
async function benchDelay(url: string, report: Report): Promise<void> {
  const api = await signedIn(url, 'student')
  const alone = await timeSubmissions(api, 'alone')
  const stop = new AbortController()
  const runs: number[] = []
  const people = RUNNERS.map(async (username, index) => {
    const person = await signedIn(url, username)
    for (let n = 0; !stop.signal.aborted; n += 1) {
      const took = await timed(() => runSamples(person, source(`${username} ${index} ${n}`)))
      runs.push(took)
      await delay(Math.max(0, EACH_MS - took), undefined, { signal: stop.signal }).catch(() => {})
    }
  })
  const beside = await timeSubmissions(api, 'beside')
  stop.abort()
  await Promise.all(people)
  const [longest, longestAlone] = [Math.max(...beside), Math.max(...alone)]
  const detail = `alone ${longestAlone.toFixed(0)}, beside ${longest.toFixed(0)} ms, ${runs.length} runs`
  const most = Math.round(percentile(runs, 0.5))
  report.bound(
    'submissions beside runs: the longest is later by, ms',
    longest - longestAlone,
    most,
    detail,
  )
}

/** Runs it against a stack of its own; answers whether all bounds hold. */
export async function benchRuns(): Promise<boolean> {
  const report = new Report()
  const stateDir = mkdtempSync(join(tmpdir(), 'bench-runs-'))
  const stack = await startStack({
    port: await freePort(),
    stateDir,
    runners: 1,
    variables: { SUBMIT_LIMIT_PER_MINUTE: '0' },
  })
  try {
    await seedDemo(stack.url)
    await stack.untilHealthy()
    await benchOutput(stack.url, stateDir, report)
    await benchDelay(stack.url, report)
  } finally {
    await stack.stop()
    rmSync(stateDir, { recursive: true, force: true })
  }
  return report.holds
}
