/** A test's own runner: the real program, which the test may kill and start again. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { ROOT } from '../../scripts/root.ts'

export interface TestRunner {
  /** Ends it by SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>
  /** Starts it, again in the same state folder; resolves when it is ready. */
  start(): Promise<void>
  /** Ends it by SIGTERM: it finishes its jobs or hands them back. */
  stop(): Promise<void>
  pid(): number
  /** Events of its log, including earlier ones. */
  events: { event: string; [field: string]: unknown }[]
}

/** Makes a runner without starting it. @param program the script that Node runs */
export function createRunner(
  environment: Record<string, string>,
  program = 'runner/main.ts',
): TestRunner {
  let child: ChildProcess | null = null
  const events: TestRunner['events'] = []

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  return {
    events,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    pid: () => child?.pid ?? 0,
    async start() {
      const started = spawn(process.execPath, ['--max-semi-space-size=1', program], {
        cwd: ROOT,
        env: {
          PATH: '/usr/bin:/bin',
          MALLOC_ARENA_MAX: '1',
          // Other tests run runners on this machine, too.
          RUNNER_FIRST_SLOT: 'auto',
          ...environment,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      child = started
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      createInterface(started.stdout).on('line', (line) => {
        const entry = JSON.parse(line)
        events.push(entry)
        if (entry.event === 'ready') resolve()
      })
      started.once('exit', () => reject(new Error('The runner did not become ready.')))
      await promise
    },
  }
}
