/** A process of its own that runs tests of one project in one mode, told by `tests.ts` what it is to do. */
import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import type { Reaper } from '../process/reaper.ts'
import type { Order, Outcome } from './tests.ts'

/** The modes of vitest that leave something out (`vitest.config.ts`). */
export type Mode = 'quick' | 'long'

/** A mutation that makes tests hang is noticed, too. Each file named may take so long. */
const MOST_MS = 5 * 60_000

interface Options {
  mode: Mode
  project: string
  cwd: string
  logFile: string
  reaper: Reaper
}

export class TestsProcess {
  private readonly options: Options
  private child: ChildProcess | null = null
  /** Files that were written since its tests ran last. */
  private readonly stale = new Set<string>()

  constructor(options: Options) {
    this.options = options
  }

  noteChange(path: string): void {
    this.stale.add(path)
  }

  /** Whether a test fails, or the process dies of it, or does not come to an end. */
  async failsIn(tests: readonly string[]): Promise<boolean> {
    this.child ??= this.start()
    const { child } = this
    const outcome = await new Promise<Outcome | null>((resolve) => {
      const timer = setTimeout(() => resolve(null), MOST_MS * tests.length)
      child.once('message', (message: Outcome) => resolve(message))
      child.once('exit', () => resolve(null))
      child.send({ tests, changed: [...this.stale] } satisfies Order, () => {})
      child.once('message', () => clearTimeout(timer)).once('exit', () => clearTimeout(timer))
    })
    child.removeAllListeners()
    this.stale.clear()
    if (outcome === null) this.end()
    return outcome?.failed ?? true
  }

  /** It leads a process group: its workers end with it, also those that are in an endless loop. */
  private start(): ChildProcess {
    const { mode, project, cwd, logFile, reaper } = this.options
    const log = openSync(logFile, 'a')
    const child = spawn(process.execPath, ['scripts/mutants/tests.ts', mode, project], {
      cwd,
      detached: true,
      stdio: ['ignore', log, log, 'ipc'],
    })
    closeSync(log)
    if (child.pid !== undefined) reaper.add(child.pid)
    return child
  }

  end(): void {
    const { child } = this
    this.child = null
    if (child?.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
    this.options.reaper.remove(child.pid)
  }
}
