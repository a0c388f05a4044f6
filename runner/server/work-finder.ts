/**
 * Finds jobs for free slots: it claims when the server wakes it, while there is more, for each ticket of the queue, and at times when
 * idle. The server's claim chooses the job; a message or ticket only says that there is work.
 */
import type { ClaimRequest, Job } from '#contract/judging'
import { jitteredMs } from '../lib/backoff.ts'
import { describeError, type Log } from '../lib/log.ts'
import type { ServerClient } from './client.ts'
import { RefusedError, UnreachableError } from './errors.ts'
import type { PulledTicket } from './tickets.ts'
import type { WakeSocket } from './wake-socket.ts'

/**
 * Pause between pulls of the queue, ms: without a socket, after a quiet minute, and while the server wakes this runner. A pull is a call
 * of Cloudflare's API, which limits and bills messages, not calls.
 */
const PULL_PAUSE_MS = { usual: 100, quiet: 500, woken: 5_000 } as const
/** Pause between claims, ms: while the server wakes this runner, and without a socket and tickets. Each is a call of the Worker. */
const CLAIM_PAUSE_MS = { woken: 60_000, alone: 1_500 } as const
/** After so long without a job, ms, this runner looks more seldom. Of a job that is free again after a lease or pause nobody is told. */
const QUIET_AFTER_MS = 60_000
/** After a failed pull the queue is left alone for so long, ms. */
const QUEUE_REST_MS = 15_000
/** Of the newest so many jobs that were judged here tickets are known to be stale. */
const MOST_STORED = 1_000

type ClaimCalls = Pick<ServerClient, 'claim' | 'pullTickets' | 'acknowledge'>

interface WorkFinderOptions {
  server: ClaimCalls
  /** Tells the server all that this runner holds. */
  reportActiveJobs: () => Promise<void>
  /** The server's message that there may be a job. */
  waker: Pick<WakeSocket, 'isOpen' | 'say'>
  /** Whether this runner may pull tickets from the queue. */
  hasQueue: boolean
  idleClaimMs: number
  log: Log
  /** A clock in ms that never jumps. */
  now?: () => number
}

export class WorkFinder {
  private readonly options: WorkFinderOptions
  private readonly now: () => number
  /** Whether a claim is likely to find a job. */
  mayFind = true
  private readonly stored = new Set<string>()
  private lastClaimMs = -Infinity
  /** Of the last job; of nothing before the first. */
  private lastJobMs = -Infinity
  private readonly startMs: number
  private queueRestsUntilMs = -Infinity
  /** Of the claim under way. */
  private claiming: AbortController | null = null
  private closed = false
  /** A claim got no answer that can be read: the server may have given this runner a job that it does not know. */
  hasLostClaim = false

  constructor(options: WorkFinderOptions) {
    this.options = options
    this.now = options.now ?? (() => performance.now())
    this.startMs = this.now()
  }

  /** Makes the next look a claim. */
  wake(): void {
    this.mayFind = true
  }

  /**
   * Makes no more claims and waits no longer for the answer of one; the server frees the job that may be in it. Does not
   * throw.
   * @param mayHoldMore whether another answer may have a job in it
   */
  async close(mayHoldMore: boolean): Promise<void> {
    this.closed = true
    const isLost = mayHoldMore || this.hasLostClaim || this.claiming !== null
    this.claiming?.abort()
    if (isLost) await this.options.reportActiveJobs().catch(() => {})
  }

  /**
   * Finds up to `free` jobs and hands each to `start` as it comes.
   * @returns the pause before the next look, ms
   * @throws the claim's error
   */
  async findJobs(free: number, takesRuns: boolean, start: (job: Job) => void): Promise<number> {
    const claim = async () => (await this.claim({ takesRuns, ahead: false }, start)) !== null
    // Before the look, which shows what came before it: of a later job the server tells.
    const isAnnounced = this.options.waker.say(true)
    if (isAnnounced || this.mayFind || this.claimDueInMs <= 0)
      return (await claim()) ? 0 : this.pauseMs
    const tickets = this.canPull ? await this.pull(free) : []
    if (tickets.length === 0) return this.pauseMs
    await this.claimPerTicket(tickets, claim)
    return 0
  }

  /** Notes that the server looks for a job now. Who wakes this runner from here on may do so for a later one. */
  noteLook(): void {
    this.mayFind = false
    this.lastClaimMs = this.now()
  }

  /** Notes a job that came with a claim or a result. */
  noteJob({ more = false }: Job): void {
    this.lastJobMs = this.now()
    this.mayFind ||= more
  }

  /** Notes a job whose result is stored: a ticket of it that is still in the queue is stale. */
  noteStored(judgementId: string): void {
    if (!this.options.hasQueue) return
    this.stored.add(judgementId)
    const [oldest] = this.stored
    if (oldest !== undefined && this.stored.size > MOST_STORED) this.stored.delete(oldest)
  }

  /**
   * Claims a job and hands it to `start`.
   * @returns the job, if it found one
   * @throws the claim's error
   */
  async claim(request: ClaimRequest, start: (job: Job) => void): Promise<Job | null> {
    const { server, reportActiveJobs } = this.options
    if (this.hasLostClaim) await reportActiveJobs()
    this.hasLostClaim = false
    if (this.closed) return null
    this.noteLook()
    this.claiming = new AbortController()
    let job: Job | null
    try {
      job = await server.claim(request, this.claiming.signal)
    } catch (error) {
      this.mayFind = true
      this.hasLostClaim =
        error instanceof UnreachableError || (error instanceof RefusedError && !error.isFromServer)
      throw error
    } finally {
      this.claiming = null
    }
    if (job) {
      this.noteJob(job)
      start(job)
    }
    return job
  }

  private get canPull(): boolean {
    return this.options.hasQueue && this.now() >= this.queueRestsUntilMs
  }

  private get claimDueInMs(): number {
    const { waker, idleClaimMs } = this.options
    const isQuiet = this.now() - this.lastJobMs > QUIET_AFTER_MS
    const idleMs = waker.isOpen && isQuiet ? CLAIM_PAUSE_MS.woken : idleClaimMs
    const isAlone = !waker.isOpen && !this.canPull
    return this.lastClaimMs + (isAlone ? CLAIM_PAUSE_MS.alone : idleMs) - this.now()
  }

  private get pauseMs(): number {
    const { waker, hasQueue } = this.options
    const isQuiet = this.now() - Math.max(this.lastJobMs, this.startMs) > QUIET_AFTER_MS
    const pullMs = waker.isOpen ? 'woken' : isQuiet ? 'quiet' : 'usual'
    const queueMs = this.canPull ? PULL_PAUSE_MS[pullMs] : this.queueRestsUntilMs - this.now()
    const pauseMs = Math.min(this.claimDueInMs, hasQueue ? queueMs : Infinity)
    return jitteredMs(Math.max(PULL_PAUSE_MS.usual, pauseMs))
  }

  /** Pulls tickets. When that fails, the queue rests. */
  private async pull(count: number): Promise<PulledTicket[]> {
    const { server, log } = this.options
    try {
      // Tickets beyond `count` would be claims without a slot. They reappear in the queue.
      return (await server.pullTickets(count)).slice(0, count)
    } catch (error) {
      this.queueRestsUntilMs = this.now() + jitteredMs(QUEUE_REST_MS)
      log('queue_failed', { error: describeError(error) })
      return []
    }
  }

  /**
   * Claims once per ticket until a claim finds nothing. A job is in the database before its ticket is in the queue, so
   * the rest of the batch is stale then. A ticket is acknowledged once its claim was answered, because the lease owns
   * the job from there. Tickets whose claim failed reappear in the queue.
   */
  private async claimPerTicket(
    tickets: PulledTicket[],
    claim: () => Promise<boolean>,
  ): Promise<void> {
    const { server, log } = this.options
    const settled: string[] = []
    let more = true
    try {
      for (const { leaseId, judgementId } of tickets) {
        const isStale = judgementId !== null && this.stored.delete(judgementId)
        if (judgementId === null) log('ticket_malformed')
        else if (more && !isStale) more = await claim()
        settled.push(leaseId)
      }
    } finally {
      if (settled.length > 0)
        void server.acknowledge(settled).catch((error: unknown) => {
          log('acknowledge_failed', { error: describeError(error) })
        })
    }
  }
}
