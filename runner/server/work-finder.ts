/**
 * Finds jobs: it claims for each ticket of the queue or the server, right after a finished job, and at times when idle.
 * The server's claim chooses the job; a ticket only says that there is work.
 */
import type { ClaimRequest, Job } from '#contract/judging'
import { jitteredMs } from '../lib/backoff.ts'
import { describeError, type Log } from '../lib/log.ts'
import type { ServerClient } from './client.ts'
import { RefusedError, UnreachableError } from './errors.ts'
import type { PulledTicket } from './tickets.ts'

/**
 * Pause between pulls of an empty queue, ms. A submission waits half of it on average for an idle runner. A pull
 * is a call of Cloudflare's API, which limits and bills messages, not calls, and none of the Worker's, so an idle
 * runner costs the Worker one claim every 10 s. After a quiet minute the pause grows; a lone submission then waits half a
 * second at most.
 */
const PULL_PAUSE_MS = 100
const QUIET_PULL_PAUSE_MS = 500
const QUIET_AFTER_MS = 60_000
/** Pause between claims while no tickets can be had, ms. Each is a request and a query of the Worker. */
const CLAIM_PAUSE_MS = 1_000
/** After a failed pull the runner polls the claim for this long and leaves the queue alone, ms. */
const QUEUE_REST_MS = 15_000

type ClaimCalls = Pick<ServerClient, 'claim' | 'pullTickets' | 'acknowledge'>

interface WorkFinderOptions {
  server: ClaimCalls
  /** What a claim says, at its time. */
  claimRequest?: () => ClaimRequest
  /** Tells the server all that this runner holds. */
  tellHeld: () => Promise<void>
  /** Whether tickets come from the queue, not from the server. */
  hasQueue: boolean
  idleClaimMs: number
  log: Log
  /** A clock in ms that never jumps. */
  now?: () => number
}

export class WorkFinder {
  private readonly server: ClaimCalls
  private readonly claimRequest: () => ClaimRequest
  private readonly tellHeld: () => Promise<void>
  private readonly hasQueue: boolean
  private readonly idleClaimMs: number
  private readonly log: Log
  private readonly now: () => number
  /** Set by a claim that found a job, and by `wake`: there may be more. */
  private claimAtOnce = true
  private lastClaimMs = -Infinity
  private lastJobMs: number
  private queueRestsUntilMs = -Infinity
  private wait = new AbortController()
  private claiming = new AbortController()
  private isClaiming = false
  private closed = false
  /** A claim got no answer that can be read: the server may have given this runner a job that it does not know. */
  private hasLostClaim = false

  constructor({
    server,
    claimRequest = () => ({ takesRuns: true }),
    tellHeld,
    hasQueue,
    idleClaimMs,
    log,
    now = () => performance.now(),
  }: WorkFinderOptions) {
    this.server = server
    this.claimRequest = claimRequest
    this.tellHeld = tellHeld
    this.hasQueue = hasQueue
    this.idleClaimMs = idleClaimMs
    this.log = log
    this.now = now
    this.lastJobMs = now()
  }

  /** Makes the next look a claim: a job or a pause has ended. Ends the wait for a ticket of the server's. */
  wake(): void {
    this.claimAtOnce = true
    this.wait.abort()
  }

  /**
   * Makes no more claims and waits no longer for the answer of one; the server frees the job that may be in it. Does not
   * throw.
   */
  async close(): Promise<void> {
    this.closed = true
    const isLost = this.hasLostClaim || this.isClaiming
    this.claiming.abort()
    if (isLost) await this.tellHeld().catch(() => {})
  }

  /**
   * Finds up to `free` jobs and hands each to `start` as it comes.
   * @returns the pause before the next look, ms
   * @throws the claim's error
   */
  async findJobs(free: number, start: (job: Job) => void): Promise<number> {
    const queueUsable = this.now() >= this.queueRestsUntilMs
    // The queue may lose a ticket; the server looks at the jobs themselves.
    const isLate = this.hasQueue && this.now() - this.lastClaimMs >= this.idleClaimMs
    if (this.claimAtOnce || !queueUsable || isLate)
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
    if (this.hasLostClaim) await this.tellHeld()
    this.hasLostClaim = false
    if (this.closed) return false
    this.claimAtOnce = false
    this.lastClaimMs = this.now()
    let job: Job | null
    this.claiming = new AbortController()
    this.isClaiming = true
    try {
      job = await this.server.claim(this.claimRequest(), this.claiming.signal)
    } catch (error) {
      // The claim was not answered, so its reason still holds.
      this.claimAtOnce = true
      this.hasLostClaim =
        error instanceof UnreachableError || (error instanceof RefusedError && !error.isFromServer)
      throw error
    } finally {
      this.isClaiming = false
    }
    if (!job) return false
    this.claimAtOnce = true
    this.lastJobMs = this.now()
    start(job)
    return true
  }

  /** Pulls tickets. When that fails, the queue rests and the claim is polled. */
  private async pull(count: number): Promise<PulledTicket[]> {
    this.wait = new AbortController()
    const { signal } = this.wait
    try {
      // Tickets beyond `count` would be claims without a slot. They reappear in the queue.
      return (await this.server.pullTickets(count, signal, this.claimRequest().takesRuns)).slice(
        0,
        count,
      )
    } catch (error) {
      if (signal.aborted) return []
      this.queueRestsUntilMs = this.now() + jitteredMs(QUEUE_REST_MS)
      this.log('queue_failed', { error: describeError(error) })
      return []
    }
  }

  /**
   * Claims once per ticket until a claim finds nothing. A job is in the database before its ticket is in the queue, so
   * the rest of the batch is stale then. A ticket is acknowledged once its claim was answered, because the lease owns
   * the job from there. Tickets whose claim failed reappear in the queue.
   */
  private async claimPerTicket(tickets: PulledTicket[], start: (job: Job) => void): Promise<void> {
    const settled: string[] = []
    let more = true
    try {
      for (const { leaseId, wellFormed } of tickets) {
        if (wellFormed && more) more = await this.claimOne(start)
        else if (!wellFormed) this.log('ticket_malformed')
        if (leaseId !== null) settled.push(leaseId)
      }
    } finally {
      if (settled.length > 0)
        void this.server.acknowledge(settled).catch((error: unknown) => {
          this.log('acknowledge_failed', { error: describeError(error) })
        })
    }
  }
}
