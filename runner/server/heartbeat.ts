/** Sends heartbeats: they keep the leases of the jobs they name. */
import type { Heartbeat, HeartbeatAnswer, HostInfo } from '#contract/judging'
import { Alarm } from '../lib/alarm.ts'
import { backoffMs } from '../lib/backoff.ts'
import { describeError, type Log } from '../lib/log.ts'
import type { ServerClient } from './client.ts'

/** The first pause after a heartbeat that failed, ms. It grows up to the usual period. */
const RETRY_BASE_MS = 1_000

interface HeartbeatOptions {
  server: Pick<ServerClient, 'heartbeat'>
  periodMs: number
  /** Builds a heartbeat at the time it is sent. */
  buildHeartbeat: () => Omit<Heartbeat, 'started' | 'version' | 'host'>
  /** Sent until a heartbeat succeeds, and then no more: versions change only with a restart. */
  introduction: { version: string; host: HostInfo }
  /** Called after every heartbeat with the server's wishes. */
  onAnswer: (answer: HeartbeatAnswer) => void
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
   * Runs until stopped. Until a heartbeat succeeds, each one says `started`. The server then frees the jobs of an earlier
   * process that the heartbeat does not name.
   */
  async run(): Promise<void> {
    const { server, periodMs, buildHeartbeat, onAnswer, log } = this.options
    let succeeded = false
    for (let failures = 0; !this.stopped;) {
      try {
        const answer = await (succeeded ? server.heartbeat(buildHeartbeat()) : this.sendWhole())
        succeeded = true
        if (failures > 1) log('heartbeat_back')
        failures = 0
        onAnswer(answer)
      } catch (error) {
        failures++
        if (failures === 1) log('heartbeat_failed', { error: describeError(error) })
      }
      // A lease lasts only a few periods: a heartbeat that failed is repeated soon.
      const retry = { baseMs: RETRY_BASE_MS, maxMs: periodMs }
      if (!this.stopped) await this.alarm.wait(failures > 0 ? backoffMs(failures, retry) : periodMs)
    }
  }

  /**
   * Tells the server all jobs that this runner holds. The server frees any other job that it has assigned to this runner,
   * such as one whose claim got no answer. No claim may be under way.
   * @throws the call's error
   */
  async reportActiveJobs(): Promise<void> {
    this.options.onAnswer(await this.sendWhole())
  }

  private sendWhole(): Promise<HeartbeatAnswer> {
    const { server, buildHeartbeat, introduction } = this.options
    return server.heartbeat({ ...buildHeartbeat(), started: true, ...introduction })
  }

  stop(): void {
    this.stopped = true
    this.alarm.ring()
  }
}
