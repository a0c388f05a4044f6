/**
 * Finds jobs: by the queue's tickets, by asking right after a finished job, and by asking now and then.
 * The server's claim chooses the job; a ticket only says that asking is worth while.
 */
import type { Job } from '#contract/judging'
import { jitteredMs } from '../lib/backoff.ts'
import { describeError, type Log } from '../lib/log.ts'
import type { ServerClient } from './client.ts'
import type { PulledTicket } from './tickets.ts'

/**
 * Pause between pulls of an empty queue, ms. Half of it is the average wait of a submission to an idle
 * fleet, so 200 ms leaves most of a second for judging. A pull is one call of Cloudflare's API (5,000
 * messages a second per queue are allowed) and none of the Worker's: an idle runner costs the Worker a
 * claim every 10 s and nothing else. After a quiet minute the pause grows, which costs a lone submission
 * at most half a second.
 */
const PULL_PAUSE_MS = 200
const QUIET_PULL_PAUSE_MS = 500
const QUIET_AFTER_MS = 60_000
/** Without a queue every question is a request and a query of the Worker: once a second is the compromise. */
const CLAIM_PAUSE_MS = 1_000
/** The queue is left alone for this long after a failed pull, and the claim polled instead. */
const QUEUE_REST_MS = 15_000

type ClaimCalls = Pick<ServerClient, 'claim' | 'pullTickets' | 'acknowledge'>

interface WorkFinderOptions {
  server: ClaimCalls
  /** Jobs whose results are on their way when a claim is made. */
  delivering?: () => string[]
  hasQueue: boolean
  idleClaimMs: number
  log: Log
  /** Ms of a clock that never jumps. */
  now?: () => number
}

export class WorkFinder {
  private readonly server: ClaimCalls
  private readonly delivering: () => string[]
  private readonly hasQueue: boolean
  private readonly idleClaimMs: number
  private readonly log: Log
  private readonly now: () => number
  /** A claim that found a job, or a job that ended, makes the next claim worth while at once. */
  private claimAtOnce = true
  private lastClaimMs = -Infinity
  private lastJobMs: number
  private queueRestsUntilMs = -Infinity

  constructor({
    server,
    delivering = () => [],
    hasQueue,
    idleClaimMs,
    log,
    now = () => performance.now(),
  }: WorkFinderOptions) {
    this.server = server
    this.delivering = delivering
    this.hasQueue = hasQueue
    this.idleClaimMs = idleClaimMs
    this.log = log
    this.now = now
    this.lastJobMs = now()
  }

  /** Says that a job has ended, or a pause: there may be more. */
  wake(): void {
    this.claimAtOnce = true
  }

  /**
   * Looks for up to `free` jobs and hands each to `start` as it comes.
   * @returns ms to wait before looking again
   * @throws what the claim threw
   */
  async findJobs(free: number, start: (job: Job) => void): Promise<number> {
    const queueUsable = this.hasQueue && this.now() >= this.queueRestsUntilMs
    if (this.claimAtOnce || !queueUsable || this.now() - this.lastClaimMs >= this.idleClaimMs)
      return (await this.claimOne(start)) ? 0 : this.pause(queueUsable)
    const tickets = await this.pull(free)
    if (tickets.length === 0) return this.pause(true)
    await this.claimPerTicket(tickets, start)
    return 0
  }

  private pause(queueUsable: boolean): number {
    if (!queueUsable) return jitteredMs(CLAIM_PAUSE_MS)
    const quiet = this.now() - this.lastJobMs > QUIET_AFTER_MS
    return jitteredMs(quiet ? QUIET_PULL_PAUSE_MS : PULL_PAUSE_MS)
  }

  private async claimOne(start: (job: Job) => void): Promise<boolean> {
    this.claimAtOnce = false
    this.lastClaimMs = this.now()
    let job: Job | null
    try {
      job = await this.server.claim(this.delivering())
    } catch (error) {
      // Unanswered: whatever made it worth while still does.
      this.claimAtOnce = true
      throw error
    }
    if (!job) return false
    this.claimAtOnce = true
    this.lastJobMs = this.now()
    start(job)
    return true
  }

  /** A queue in trouble must not keep the runner from its jobs: it rests, and the claim is polled. */
  private async pull(count: number): Promise<PulledTicket[]> {
    try {
      // More than were asked for would be claims without a slot; they come back by themselves.
      return (await this.server.pullTickets(count)).slice(0, count)
    } catch (error) {
      this.queueRestsUntilMs = this.now() + jitteredMs(QUEUE_REST_MS)
      this.log('queue_failed', { error: describeError(error) })
      return []
    }
  }

  /**
   * One claim per ticket until the claim finds nothing: a job is in the database before its ticket is in
   * the queue, so the rest of the batch is stale then. A ticket counts as done once its claim was answered;
   * the lease in the database owns the job from there. Tickets whose claim failed come back by themselves.
   */
  private async claimPerTicket(tickets: PulledTicket[], start: (job: Job) => void): Promise<void> {
    const settled: string[] = []
    let more = true
    try {
      for (const { leaseId, wellFormed } of tickets) {
        if (wellFormed && more) more = await this.claimOne(start)
        else if (!wellFormed) this.log('ticket_malformed')
        settled.push(leaseId)
      }
    } finally {
      if (settled.length > 0)
        void this.server.acknowledge(settled).catch((error: unknown) => {
          this.log('acknowledge_failed', { error: describeError(error) })
        })
    }
  }
}
