/** Tells the server every so often that this runner lives and which jobs are its own, so that their leases live too. */
import type { Heartbeat, HostInfo } from '#contract/judging'
import { Alarm } from '../lib/alarm.ts'
import { backoffMs } from '../lib/backoff.ts'
import { describeError, type Log } from '../lib/log.ts'
import type { ServerClient } from './client.ts'

/** The first pause after a beat that failed, ms; never longer than the usual one. */
const RETRY_BASE_MS = 1_000

interface HeartbeatOptions {
  server: Pick<ServerClient, 'heartbeat'>
  periodMs: number
  /** What there is to say at the time of a beat. */
  buildHeartbeat: () => Omit<Heartbeat, 'started' | 'version' | 'host'>
  /** What the server is told with the first beat it hears: versions change with a restart only. */
  introduction: { version: string; host: HostInfo }
  /** Told after every beat what the server wants of this runner. */
  onState: (state: 'active' | 'draining') => void
  log: Log
}

export class HeartbeatLoop {
  private readonly options: HeartbeatOptions
  private readonly alarm = new Alarm()
  private stopped = false

  constructor(options: HeartbeatOptions) {
    this.options = options
  }

  /**
   * Beats until stopped. Until the server has heard one, beats say that the runner has just started: the
   * jobs that an earlier process had, and that are not named, are then given to others at once.
   */
  async run(): Promise<void> {
    const { server, periodMs, buildHeartbeat, introduction, onState, log } = this.options
    let heard = false
    for (let failures = 0; !this.stopped;) {
      try {
        const first = !heard && { started: true, ...introduction }
        const state = await server.heartbeat({ ...buildHeartbeat(), ...first })
        heard = true
        if (failures > 1) log('heartbeat_back')
        failures = 0
        onState(state)
      } catch (error) {
        failures++
        if (failures === 1) log('heartbeat_failed', { error: describeError(error) })
      }
      // A lease is worth only a few periods: a beat that failed is made good soon.
      const retry = { baseMs: RETRY_BASE_MS, maxMs: periodMs }
      if (!this.stopped) await this.alarm.wait(failures > 0 ? backoffMs(failures, retry) : periodMs)
    }
  }

  stop(): void {
    this.stopped = true
    this.alarm.ring()
  }
}
