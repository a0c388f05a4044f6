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
import type { WakeSocket } from './wake-socket.ts'

/**
 * Pause between pulls of an empty queue without the server's message, ms. A submission waits half of it on average. A pull
 * is a call of Cloudflare's API, which limits and bills messages, not calls, and none of the Worker's, so an idle
 * runner costs the Worker one claim every 10 s. After a quiet minute the pause grows; a lone submission then waits half a
 * second at most.
 */
const PULL_PAUSE_MS = 100
const QUIET_PULL_PAUSE_MS = 500
const QUIET_AFTER_MS = 60_000
/** Pause between looks while the server wakes this runner, ms: by a pull, by a claim. They are the net below. */
const WOKEN_PULL_PAUSE_MS = 5_000
const WOKEN_CLAIM_PAUSE_MS = 60_000
/** Of the newest so many jobs that were judged here tickets are known to be stale. */
const MOST_STORED = 1_000
/** Pause between claims while no tickets can be had, ms. Each is a request and a query of the Worker. */
const CLAIM_PAUSE_MS = 1_000
/** After a failed pull the runner polls the claim for this long and leaves the queue alone, ms. */
const QUEUE_REST_MS = 15_000

type ClaimCalls = Pick<ServerClient, 'claim' | 'pullTickets' | 'acknowledge'>

interface WorkFinderOptions {
  server: ClaimCalls
  /** What a claim says, at its time. */
  claimRequest?: () => ClaimRequest
  /** Whether this runner has any job now. */
  holdsJobs?: () => boolean
  /** Tells the server all that this runner holds. */
  reportActiveJobs: () => Promise<void>
  /** The server's message that there may be a job. */
  waker?: Pick<WakeSocket, 'isOpen' | 'say'>
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
  private readonly holdsJobs: () => boolean
  private readonly reportActiveJobs: () => Promise<void>
  private readonly waker: Pick<WakeSocket, 'isOpen' | 'say'>
  private readonly hasQueue: boolean
  private readonly idleClaimMs: number
  private readonly log: Log
  private readonly now: () => number
  /** Set by a claim whose answer says that there is more, and by `wake`. */
  private claimAtOnce = true
  private isWoken = false
  private readonly stored = new Set<string>()
  /** The last claim may have found nothing only because of what this runner holds. */
  private claimWhenFree = false
  /** A slot has become free since the last claim was sent. */
  private hasFreedSlot = false
  private lastClaimMs = -Infinity
  /** Of the last job; of the start before the first. */
  private lastJobMs: number
  private hadJob = false
  /** How long the last claim took. */
  claimMs = 0
  private queueRestsUntilMs = -Infinity
  private wait = new AbortController()
  private claiming = new AbortController()
  private isClaiming = false
  private closed = false
  /** A claim got no answer that can be read: the server may have given this runner a job that it does not know. */
  private hasLostClaim = false

  constructor({
    server,
    claimRequest = () => ({ takesRuns: true, ahead: 0 }),
    holdsJobs = () => false,
    reportActiveJobs,
    waker = { isOpen: false, say: () => false },
    hasQueue,
    idleClaimMs,
    log,
    now = () => performance.now(),
  }: WorkFinderOptions) {
    this.server = server
    this.claimRequest = claimRequest
    this.holdsJobs = holdsJobs
    this.reportActiveJobs = reportActiveJobs
    this.waker = waker
    this.hasQueue = hasQueue
    this.idleClaimMs = idleClaimMs
    this.log = log
    this.now = now
    this.lastJobMs = now()
  }

  /** Makes the next look a claim if the last one may have missed something: a slot is free. */
  noteFreeSlot(): void {
    this.hasFreedSlot = true
    if (this.claimWhenFree) this.claimAtOnce = true
  }

  /** Makes the next look a claim. Ends the wait for a ticket of the server's. */
  wake(): void {
    this.claimAtOnce = true
    this.isWoken = true
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
    if (isLost) await this.reportActiveJobs().catch(() => {})
  }

  /**
   * Finds up to `free` jobs and hands each to `start` as it comes.
   * @returns the pause before the next look, ms
   * @throws the claim's error
   */
  async findJobs(free: number, start: (job: Job) => void): Promise<number> {
    // Before the look, which shows what came before it: of a later job the server tells.
    const isAnnounced = this.waker.say(true)
    const hasSocket = this.waker.isOpen
    const canPull = this.now() >= this.queueRestsUntilMs
    const hasTickets = canPull && (this.hasQueue || !hasSocket)
    // The queue may lose a ticket, and a socket a message; the server looks at the jobs themselves.
    const isLate = (this.hasQueue || hasSocket) && this.claimDueInMs <= 0
    if (this.claimAtOnce || isAnnounced || isLate || !(hasTickets || hasSocket))
      return (await this.claimOne(start)) ? 0 : this.pause(canPull)
    if (!hasTickets) return this.pause(canPull)
    const tickets = await this.pull(free)
    if (tickets.length === 0) return this.pause(true)
    await this.claimPerTicket(tickets, start)
    return 0
  }

  /**
   * Claims a job for a slot that will be free in a moment, if there are more.
   * @returns whether it found one
   * @throws the claim's error
   */
  async claimAhead(start: (job: Job) => void): Promise<boolean> {
    return this.claimAtOnce && (await this.claimOne(start))
  }

  /** Notes a job whose result is stored: a ticket of it that is still in the queue is stale. */
  noteStored(judgementId: string): void {
    if (!this.hasQueue) return
    this.stored.add(judgementId)
    const [oldest] = this.stored
    if (oldest !== undefined && this.stored.size > MOST_STORED) this.stored.delete(oldest)
  }

  private get claimDueInMs(): number {
    // A job that is free again after a lease or a pause wakes no host.
    const isQuiet = !this.hadJob || this.now() - this.lastJobMs > QUIET_AFTER_MS
    const pauseMs = this.waker.isOpen && isQuiet ? WOKEN_CLAIM_PAUSE_MS : this.idleClaimMs
    return this.lastClaimMs + pauseMs - this.now()
  }

  private pause(canPull: boolean): number {
    if (this.waker.isOpen) {
      const restMs = canPull ? WOKEN_PULL_PAUSE_MS : this.queueRestsUntilMs - this.now()
      const pauseMs = Math.min(this.hasQueue ? restMs : Infinity, this.claimDueInMs)
      return jitteredMs(Math.max(PULL_PAUSE_MS, pauseMs))
    }
    if (!canPull) return jitteredMs(CLAIM_PAUSE_MS)
    const quiet = this.now() - this.lastJobMs > QUIET_AFTER_MS
    return jitteredMs(quiet ? QUIET_PULL_PAUSE_MS : PULL_PAUSE_MS)
  }

  private async claimOne(start: (job: Job) => void): Promise<boolean> {
    if (this.hasLostClaim) await this.reportActiveJobs()
    this.hasLostClaim = false
    if (this.closed) return false
    this.claimAtOnce = false
    this.isWoken = false
    this.hasFreedSlot = false
    this.lastClaimMs = this.now()
    const startMs = this.lastClaimMs
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
    this.claimMs = this.now() - startMs
    // A server of before does not say whether there is more.
    const hasMore = job !== null && job.more !== false
    // The runner may have been woken since, by a job that came after the server's look.
    this.claimWhenFree = hasMore || (!job && this.holdsJobs())
    this.claimAtOnce = hasMore || this.isWoken || (this.claimWhenFree && this.hasFreedSlot)
    if (!job) return false
    this.lastJobMs = this.now()
    this.hadJob = true
    start(job)
    return true
  }

  /** Pulls tickets. When that fails, the queue rests and the claim is polled. */
  private async pull(count: number): Promise<PulledTicket[]> {
    this.wait = new AbortController()
    const { signal } = this.wait
    try {
      // Tickets beyond `count` would be claims without a slot. They reappear in the queue.
      const { takesRuns } = this.claimRequest()
      const tickets = await this.server.pullTickets(count, signal, takesRuns)
      return tickets.slice(0, count)
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
      for (const { leaseId, wellFormed, judgementId } of tickets) {
        const isStale = judgementId !== null && this.stored.delete(judgementId)
        if (wellFormed && more && !isStale) more = await this.claimOne(start)
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
