/** A whole judge for one test file: its own port, its own state; nothing stays behind. */
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
  runners?: number
  /** The small demo course, or `term` for that of a whole term. Default false; the account `admin` always exists. */
  demo?: boolean | 'term'
  /** Further variables of the Worker, e.g. `SUBMIT_LIMIT_PER_MINUTE`; null: no variables. */
  variables?: Record<string, string> | null
  runnerEnvironment?: Record<string, string>
}

export interface TestStack extends Stack {
  /** Ends a runner as a crash would; the stack starts it again after a moment. */
  killRunner(index: number): void
}

/**
 * Starts a judge on a free port with its own state folder; `stop` removes the folder. The judge stops after the
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
 * A judge with the demo course and one runner, for files that only read it or add what disturbs no other file.
 * It stops after the last of these files.
 */
export async function sharedJudge(): Promise<SharedJudge> {
  const answer = await fetch(inject('sharedJudge'))
  if (!answer.ok) throw new Error(await answer.text())
  return sharedJudgeAnswer.parse(await answer.json())
}

/** A client of the API, signed in as a demo user. */
export async function clientOf(url: string, username: string): Promise<ApiClient> {
  const api = createApiClient(url)
  await api.login(username, DEMO_PASSWORD)
  return api
}
