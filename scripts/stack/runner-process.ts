/** Keeps one runner of the local stack running: starts it again when it dies. */
import { readFileSync, statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { logTail, startProcessGroup } from '../process/process-group.ts'
import type { ProcessGroup } from '../process/process-group.ts'
import type { Reaper } from '../process/reaper.ts'
import { ROOT } from '../root.ts'

/** The text that a runner writes to its log once it has registered. */
const READY_EVENT = '"event":"ready"'
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** A runner that lived this long is restarted quickly again. */
const STEADY_MS = 60_000
/** After this many quick deaths in a row the runner is not started again. */
const HOPELESS_DEATHS = 3

interface RunnerProcessOptions {
  name: string
  /** Where the runner keeps its token, test data and unreported results. */
  stateDir: string
  logFile: string
  environment: Record<string, string>
  reaper: Reaper
  log: (line: string) => void
}

export interface RunnerProcess {
  readonly name: string
  /** Process id of the current process; changes with each restart. */
  pid(): number
  /** Ends the current process with SIGKILL, as a crash would; it is started again. */
  kill(): void
  /** Whether the current process has registered. `/api/health` may still report an earlier process that has just ended. */
  isReady(): boolean
  /** Whether it has died so often in a row that it is not started again. */
  givenUp(): boolean
  logTail(): string
  /** Ends it for good: SIGTERM, on which the runner finishes its jobs or hands them back; after the grace time SIGKILL. */
  stop(graceMs: number): Promise<void>
}

/** Starts a runner and keeps it running until `stop`. */
export function startRunner(options: RunnerProcessOptions): RunnerProcess {
  const stopped = new AbortController()
  let quickDeaths = 0
  let logStart = 0
  let group: ProcessGroup = start()

  function start(): ProcessGroup {
    const startedAt = Date.now()
    logStart = statSync(options.logFile, { throwIfNoEntry: false })?.size ?? 0
    const started = startProcessGroup({
      name: options.name,
      command: process.execPath,
      // Without this option up to 60 MB of garbage pile up before V8 collects it; see runner/README.md.
      args: ['--max-semi-space-size=1', 'runner/main.ts'],
      cwd: ROOT,
      env: {
        ...process.env,
        MALLOC_ARENA_MAX: '1',
        ...options.environment,
        RUNNER_NAME: options.name,
        RUNNER_STATE_DIR: options.stateDir,
      },
      logFile: options.logFile,
      reaper: options.reaper,
    })
    void started.ended.then((how) => restart(how, Date.now() - startedAt))
    return started
  }

  async function restart(how: string, livedMs: number): Promise<void> {
    if (stopped.signal.aborted) return
    quickDeaths = livedMs < STEADY_MS ? quickDeaths + 1 : 1
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (quickDeaths - 1), LONGEST_PAUSE_MS)
    options.log(`${options.name} has ended (${how}); starting it again in ${pauseMs / 1_000} s`)
    await delay(pauseMs, undefined, { signal: stopped.signal }).catch(() => {})
    if (!stopped.signal.aborted) group = start()
  }

  return {
    name: options.name,
    pid: () => group.pid,
    kill: () => group.signal('SIGKILL'),
    isReady: () => readFileSync(options.logFile).subarray(logStart).includes(READY_EVENT),
    givenUp: () => quickDeaths >= HOPELESS_DEATHS,
    logTail: () => logTail(group),
    async stop(graceMs) {
      stopped.abort()
      await group.end(graceMs)
    },
  }
}
