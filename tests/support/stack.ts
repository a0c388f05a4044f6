/** A whole judge for one test file: its own port, its own state, nothing left behind. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildWeb } from '../../scripts/build-web.ts'
import { freePort } from '../../scripts/ports.ts'
import { seedDemo } from '../../scripts/seed-demo.ts'
import { startStack } from '../../scripts/stack.ts'
import type { Stack } from '../../scripts/stack.ts'

export interface TestStackOptions {
  /** Default 1. */
  runners?: number
  /** Whether the demo course is there. Default false; the account `admin` always is. */
  demo?: boolean
  /** Variables of the Worker, e.g. `SUBMIT_LIMIT_PER_MINUTE`. */
  variables?: Record<string, string>
  runnerEnvironment?: Record<string, string>
}

/** Ends a runner as a crash would; it is started again after a moment. */
export interface TestStack extends Stack {
  killRunner(index: number): void
}

/** Starts a judge on a free port with an empty state folder; `stop` removes the folder too. */
export async function startTestStack(options: TestStackOptions = {}): Promise<TestStack> {
  await buildWeb()
  const stateDir = await mkdtemp(join(tmpdir(), 'judge-test-'))
  try {
    const stack = await startStack({
      port: await freePort(),
      stateDir,
      runners: options.runners ?? 1,
      ...(options.variables && { variables: options.variables }),
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
    try {
      if (options.demo) await seedDemo(stack.url)
      await stack.untilHealthy()
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
