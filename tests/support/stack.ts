/** A whole judge for one test file: its own port, its own state, nothing left behind. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApiClient, type ApiClient } from '../../scripts/api-client.ts'
import { DEMO_PASSWORD } from '../../scripts/demo/accounts.ts'
import { seedTerm } from '../../scripts/demo/term/seed-term.ts'
import { freePort } from '../../scripts/stack/ports.ts'
import { startStack } from '../../scripts/stack/stack.ts'
import type { Stack } from '../../scripts/stack/stack.ts'
import { inject } from 'vitest'
import * as z from 'zod'
import { afterThisFile } from './clean-up.ts'
import { copyTemplate, type SharedJudge } from './template.ts'

const sharedJudgeAnswer = z.object({
  url: z.string(),
  ids: z.object({
    systemAnnouncement: z.string(),
    announcement: z.string(),
    homework: z.string(),
    submission: z.string(),
    question: z.string(),
    copiedProblem: z.int(),
  }),
})

interface TestStackOptions {
  /** Default 1. */
  runners?: number
  /** Whether the small demo course is there, or the one of a whole term. Default false; the account `admin` always is. */
  demo?: boolean | 'term'
  /** More variables of the Worker, e.g. `SUBMIT_LIMIT_PER_MINUTE`; null: none at all. */
  variables?: Record<string, string> | null
  runnerEnvironment?: Record<string, string>
}

/** Ends a runner as a crash would; it is started again after a moment. */
export interface TestStack extends Stack {
  killRunner(index: number): void
}

/**
 * Starts a judge on a free port with a state folder of its own; `stop` removes the folder too. It is stopped after the
 * file's last test.
 */
export async function startTestStack(options: TestStackOptions = {}): Promise<TestStack> {
  const { demo = false, runners = 1 } = options
  const stateDir = await mkdtemp(join(tmpdir(), 'judge-test-'))
  try {
    await copyTemplate(inject('judgeTemplate'), stateDir, { demo: demo === true, runners })
    const stack = await startStack({
      port: await freePort(),
      stateDir,
      runners,
      ...(options.variables !== undefined && { variables: options.variables }),
      ...(options.runnerEnvironment && { runnerEnvironment: options.runnerEnvironment }),
    })
    const testStack: TestStack = {
      ...stack,
      killRunner: (index) => stack.runners[index]?.kill(),
      async stop() {
        await stack.stop()
        await rm(stateDir, { recursive: true, force: true })
      },
    }
    afterThisFile(testStack.stop)
    try {
      await stack.untilHealthy()
      if (demo === 'term') await seedTerm(stack)
    } catch (error) {
      await testStack.stop()
      throw error
    }
    return testStack
  } catch (error) {
    await rm(stateDir, { recursive: true, force: true })
    throw error
  }
}

/**
 * A judge with the demo course filled in and one runner, for files that only look at it or add what is in nobody's way.
 * It is stopped after the last of them.
 */
export async function sharedJudge(): Promise<SharedJudge> {
  const answer = await fetch(inject('sharedJudge'))
  if (!answer.ok) throw new Error(await answer.text())
  return sharedJudgeAnswer.parse(await answer.json())
}

/** The API as somebody of the demo calls it. */
export async function clientOf(url: string, username: string): Promise<ApiClient> {
  const api = createApiClient(url)
  await api.login(username, DEMO_PASSWORD)
  return api
}
