/**
 * Finds jobs for free slots. It claims when the server wakes it, while more jobs wait, for each ticket of the queue, and now and then
 * when idle. The server chooses the job of a claim; a message or ticket only says that there is work.
 */
import type { ClaimRequest, Job } from '#contract/judging'
import { jitteredMs } from '../lib/backoff.ts'
import { describeError, type Log } from '../lib/log.ts'
import type { ServerClient } from './client.ts'
import { RefusedError, UnreachableError } from './errors.ts'
import type { PulledTicket } from './tickets.ts'
import type { WakeSocket } from './wake-socket.ts'

/**
 * Pauses between pulls of the queue, ms: `woken` while a socket is open; without one `usual`, or `quiet` after a minute without jobs.
 * A pull is a call of Cloudflare's API, which limits and bills messages, not calls.
 */
const PULL_PAUSE_MS = { usual: 100, quiet: 500, woken: 5_000 } as const
/** Pauses between claims, ms: `woken` while a socket is open, `alone` without socket and tickets. Each claim is a call of the Worker. */
const CLAIM_PAUSE_MS = { woken: 60_000, alone: 1_500 } as const
/** After this long without a job the runner looks less often, ms. It still looks, because jobs that become free again are not announced. */
const QUIET_AFTER_MS = 60_000
/** How long the queue is left alone after a failed pull, ms. */
const QUEUE_REST_MS = 15_000
/** How many jobs that were judged here are remembered, because their tickets are stale. */
const MOST_STORED = 1_000

type ClaimCalls = Pick<ServerClient, 'claim' | 'pullTickets' | 'acknowledge'>

interface WorkFinderOptions {
  server: ClaimCalls
  /** Tells the server all jobs that this runner holds. */
  reportActiveJobs: () => Promise<void>
  /** Receives the server's message that there may be a job. */
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
  /** When the last job came. */
  private lastJobMs = -Infinity
  private readonly startMs: number
  private queueRestsUntilMs = -Infinity
  /** Aborts the claim that is under way. */
  private claiming: AbortController | null = null
  private closed = false
  /** Whether a claim got no readable answer: the server may have given this runner a job that it does not know. */
  hasLostClaim = false

  constructor(options: WorkFinderOptions) {
    this.options = options
    this.now = options.now ?? (() => performance.now())
    this.startMs = this.now()
  }

  /** Makes the next look for jobs a claim. */
  wake(): void {
    this.mayFind = true
  }

  /**
   * Makes no more claims and drops the claim under way; the server frees the job that its answer may hold. Does not throw.
   * @param mayHoldMore whether another answer that this runner did not get may hold a job
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
    // This comes before the look, which finds earlier jobs: the server tells of later ones.
    const isAnnounced = this.options.waker.say(true)
    if (isAnnounced || this.mayFind || this.claimDueInMs <= 0)
      return (await claim()) ? 0 : this.pauseMs
    const tickets = this.canPull ? await this.pull(free) : []
    if (tickets.length === 0) return this.pauseMs
    await this.claimPerTicket(tickets, claim)
    return 0
  }

  /** Notes that the server looks for a job now. A message that comes after this may announce a later job. */
  noteLook(): void {
    this.mayFind = false
    this.lastClaimMs = this.now()
  }

  /** Notes a job that came with a claim or a result. */
  noteJob({ more = false }: Job): void {
    this.lastJobMs = this.now()
    this.mayFind ||= more
  }

  /** Notes a job whose result is stored: if its ticket is still in the queue, that ticket is stale. */
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
      // For tickets beyond `count` there are no slots, so they are dropped here and reappear in the queue.
      return (await server.pullTickets(count)).slice(0, count)
    } catch (error) {
      this.queueRestsUntilMs = this.now() + jitteredMs(QUEUE_REST_MS)
      log('queue_failed', { error: describeError(error) })
      return []
    }
  }

  /**
   * Claims once per ticket until a claim finds nothing. Then the rest of the batch is stale, because a job is in the
   * database before its ticket is in the queue. A ticket is acknowledged once its claim was answered, because from then
   * on the lease covers the job. Tickets whose claim failed reappear in the queue.
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
