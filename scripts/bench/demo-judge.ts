/** A judge with the demo course for one benchmark, and what benchmarks do with it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { submissionCreated } from '#contract/submissions'
import { createApiClient, type ApiClient } from '../api-client.ts'
import { DEMO_PASSWORD } from '../demo/accounts.ts'
import { seedTerm } from '../demo/term/seed-term.ts'
import type { Reaper } from '../process/reaper.ts'
import { freePort } from '../stack/ports.ts'
import { startRunner } from '../stack/runner-process.ts'
import { seedDemo } from '../stack/seed-demo.ts'
import { startStack, type Stack } from '../stack/stack.ts'

/** The first demo problem: A + B. */
const PROBLEM = 1

interface JudgeOptions {
  runners: number
  /** Variables of the Worker; it reads them at each of its starts. */
  variables?: Record<string, string>
  /** Whether the course has a whole term. */
  isTerm?: boolean
}

/** Starts the judge, calls `work` and stops the judge. */
export async function withDemoJudge(
  { runners, variables = {}, isTerm = false }: JudgeOptions,
  work: (stack: Stack) => Promise<void>,
): Promise<void> {
  const stateDir = mkdtempSync(join(tmpdir(), 'bench-'))
  variables['SUBMIT_LIMIT_PER_MINUTE'] = '0'
  try {
    const stack = await startStack({ port: await freePort(), stateDir, runners, variables })
    try {
      await (isTerm ? seedTerm(stack) : seedDemo(stack.url))
      await stack.untilHealthy()
      await work(stack)
    } finally {
      await stack.stop()
    }
  } finally {
    rmSync(stateDir, { recursive: true, force: true })
  }
}

/** The API for one person, with the demo's password unless another is given. */
export async function clientOf(
  url: string,
  username: string,
  password: string = DEMO_PASSWORD,
): Promise<ApiClient> {
  const api = createApiClient(url)
  await api.login(username, password)
  return api
}

/** Submits to the first problem; returns the submission's id. Any status but 200 throws. */
export async function handIn(api: ApiClient, languageType: number, code: string): Promise<string> {
  const json = { problemId: PROBLEM, languageType, code }
  return (await api.call('POST', '/submission', submissionCreated, { json })).submissionId
}

/** Starts a runner with one slot beside the stack's own runners; its log file has the runner's name. */
export function startOneSlot(
  { stateDir, runnerEnvironment }: Stack,
  reaper: Reaper,
  name: string,
  environment: Record<string, string> = {},
) {
  const logFile = join(stateDir, `${name}.log`)
  const runner = startRunner({
    name,
    stateDir: join(stateDir, name),
    logFile,
    environment: {
      ...runnerEnvironment,
      ...environment,
      RUNNER_SLOTS: '1',
      RUNNER_FIRST_SLOT: 'auto',
    },
    reaper,
    log: console.log,
  })
  return { ...runner, logFile, stop: () => runner.stop(20_000) }
}

/** A program that solves the first problem. Its text depends on the mark, so that it has not been compiled before. */
export const sumInC = (mark: string) =>
  `#include <stdio.h>\nint main(void) { long long a, b; scanf("%lld %lld", &a, &b); printf("%lld\\n", a + b); } // ${mark}\n`
export const sumInPython = (mark: string) =>
  `a, b = map(int, input().split())\nprint(a + b)  # ${mark}\n`
