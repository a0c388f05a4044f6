/** A child process that leads its own process group, so that it can be ended with all its children. */
import { spawn, spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../plain-error.ts'
import type { Reaper } from './reaper.ts'

interface ProcessGroupOptions {
  /** The name in messages, e.g. `runner 1`. */
  name: string
  command: string
  args: readonly string[]
  cwd: string
  env: NodeJS.ProcessEnv
  /** Receives stdout and stderr. */
  logFile: string
  reaper: Reaper
}

export interface ProcessGroup {
  readonly name: string
  readonly pid: number
  readonly logFile: string
  /** Resolves when the leader has ended, with how it ended: `exit code 1`, `SIGKILL`, or why it did not start. */
  readonly ended: Promise<string>
  isRunning(): boolean
  /** Sends a signal to the leader alone. */
  signal(signal: NodeJS.Signals): void
  /** Sends SIGTERM to the leader, then SIGKILL to the rest of the group. */
  end(graceMs: number): Promise<void>
}

/** Sends a signal to a process or, for a negative number, to a group, if it still exists. Windows has trees, not groups. */
function send(target: number, signal: NodeJS.Signals): boolean {
  if (process.platform === 'win32' && target < 0)
    return spawnSync('taskkill', ['/pid', String(-target), '/t', '/f']).status === 0
  try {
    return process.kill(target, signal)
  } catch {
    return false
  }
}

/** Starts a command as the leader of a new process group. */
export function startProcessGroup(options: ProcessGroupOptions): ProcessGroup {
  mkdirSync(dirname(options.logFile), { recursive: true })
  const log = openSync(options.logFile, 'a')
  const child = spawn(options.command, options.args, {
    cwd: options.cwd,
    env: options.env,
    detached: true,
    windowsHide: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const pid = child.pid ?? 0
  if (pid > 0) options.reaper.add(pid)

  let running = true
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => {
      running = false
      resolve(messageOf(error))
    })
    child.once('exit', (code, signal) => {
      running = false
      // A leader that dies alone must not leave its children (workerd, a sandbox helper) behind.
      send(-pid, 'SIGKILL')
      options.reaper.remove(pid)
      resolve(signal ?? `exit code ${code}`)
    })
  })

  return {
    name: options.name,
    pid,
    logFile: options.logFile,
    ended,
    isRunning: () => running,
    signal(signal) {
      if (running && pid > 0) send(pid, signal)
    },
    async end(graceMs) {
      if (!running || pid === 0) return
      send(pid, 'SIGTERM')
      const timer = new AbortController()
      await Promise.race([
        ended,
        delay(graceMs, undefined, { signal: timer.signal }).catch(() => {}),
      ])
      timer.abort()
      if (running) send(-pid, 'SIGKILL')
      await ended
    },
  }
}

/** The last lines that a process wrote, for an error message. */
export function logTail(group: Pick<ProcessGroup, 'logFile'>, lines = 15): string {
  try {
    return readFileSync(group.logFile, 'utf8').trimEnd().split('\n').slice(-lines).join('\n')
  } catch {
    return ''
  }
}
