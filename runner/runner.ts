/** The runner: it takes jobs while slots are free, judges and reports them, and drains when told to. */
import { loadavg } from 'node:os'
import type { ClaimRequest, HeartbeatAnswer, HostInfo, Job } from '#contract/judging'
import { RUNNERS } from '#contract/limits'
import { type ActiveJob, ActiveJobs } from './active-jobs.ts'
import { Alarm } from './lib/alarm.ts'
import { type Backoff, backoffMs } from './lib/backoff.ts'
import { type JudgingParts, JobWork } from './job-work.ts'
import { handBack, NOT_BEGUN } from './server/hand-back.ts'
import { HeartbeatLoop } from './server/heartbeat.ts'
import { describeError } from './lib/log.ts'
import type { ResultOutbox } from './server/outbox.ts'
import { ResultLoop } from './server/result-loop.ts'
import type { PoolSlot } from './host/slot-pool.ts'
import type { Updates } from './host/updates.ts'
import { UnreachableError, UnreadableJobError } from './server/errors.ts'
import { WakeSocket } from './server/wake-socket.ts'
import { WorkFinder } from './server/work-finder.ts'

/** The pause after a call that the server did not answer. */
const SERVER_BACKOFF: Backoff = { baseMs: 500, maxMs: 10_000 }
/** How long a draining runner waits for a claim's answer, ms; then as long for the call that frees the job in that answer. */
const LAST_CALL_MS = 1_000
/** How long a draining runner waits for its jobs, ms; then for the calls that hand the rest back, then for slots to close. */
const DRAIN_GRACE_MS = 10_000
const HAND_BACK_MS = 5_000
const CLOSE_MS = 5_000
/** The longest wait that a server may ask for, ms. */
const LONGEST_ASKED_MS = 60_000
/** How long to wait for a free slot or a change of state, ms; both ring the alarm. */
const LONG_WAIT_MS = 60_000
/** How a job goes back that this runner cannot read. */
const UNREADABLE = { drained: false, fault: 'job' } as const

interface RunnerParts extends JudgingParts {
  introduction: { version: string; host: HostInfo }
  hasQueue: boolean
  outbox: ResultOutbox
  updates: Updates
  drainGraceMs?: number
}

export class Runner {
  private readonly parts: RunnerParts
  private readonly finder: WorkFinder
  private readonly heartbeats: HeartbeatLoop
  private readonly active = new ActiveJobs()
  private readonly judging: JobWork
  private readonly working = new Set<Promise<void>>()
  private readonly takerAlarm = new Alarm()
  private readonly results: ResultLoop
  private readonly waker: WakeSocket
  private readonly drained = Promise.withResolvers<void>()
  private draining = false
  /** How many jobs were asked for with results that are still on their way to the server. */
  private asked = 0
  /** How many calls for a job in a row the server did not answer. */
  private failures = 0
  /** The state that the server wants; null until the first heartbeat. */
  private wantedState: 'active' | 'draining' | null = null

  constructor(parts: RunnerParts) {
    this.parts = parts
    const { server, hasQueue, settings, introduction, log } = parts
    this.waker = new WakeSocket({
      connect: () => server.openWakeSocket(),
      onClose: () => this.takerAlarm.ring(),
      onJob: () => {
        this.finder.wake()
        this.takerAlarm.ring()
      },
      log,
    })
    this.finder = new WorkFinder({
      server,
      waker: this.waker,
      reportActiveJobs: () => this.heartbeats.reportActiveJobs(),
      hasQueue,
      idleClaimMs: settings.idleClaimSeconds * 1_000,
      log,
    })
    this.judging = new JobWork(parts, {
      active: this.active,
      isDraining: () => this.draining,
      onSlot: () => this.takerAlarm.ring(),
    })
    this.results = new ResultLoop(parts.outbox)
    parts.outbox.onStored = (judgementId) => this.finder.noteStored(judgementId)
    parts.outbox.next = {
      ask: (isRepeated) => this.askWithResult(isRepeated),
      take: (answer) => this.takeWithResult(answer),
    }
    this.heartbeats = new HeartbeatLoop({
      server,
      log,
      introduction,
      periodMs: settings.heartbeatSeconds * 1_000,
      buildHeartbeat: () => this.buildHeartbeat(),
      onAnswer: (answer) => this.apply(answer),
    })
  }

  /** Runs until drained. Afterwards every slot is closed. */
  async run(): Promise<void> {
    const background = [this.heartbeats.run(), this.results.run(), this.waker.run()]
    const taking = this.takeJobs()
    await this.drained.promise
    this.waker.stop()
    await within(LAST_CALL_MS, taking)
    await this.finishOrHandBack()
    this.heartbeats.stop()
    this.results.stop()
    await within(CLOSE_MS, this.parts.pool.close())
    await within(CLOSE_MS, Promise.all(background))
  }

  /** Stops taking jobs; finishes the running ones or hands them back; then `run` returns. */
  drain(): void {
    this.draining = true
    this.drained.resolve()
    this.parts.outbox.stop()
    this.finder.wake()
    this.takerAlarm.ring()
  }

  private async takeJobs(): Promise<void> {
    const { pool, log } = this.parts
    while (!this.draining) {
      // No claim is under way here.
      if (this.isIdle && this.parts.updates.begin()) return this.drain()
      // A sample run makes room for a submission. A slot for which a result has asked for a job waits for the answer.
      const room = pool.free + this.active.runs.length
      const unasked = room - this.asked
      // After a lost claim, the next claim frees all jobs that this runner does not know, even one in the answer to a result.
      const mustWait = this.finder.hasLostClaim && this.asked > 0
      const mayClaim =
        !mustWait && (unasked > 0 || (this.finder.mayFind && this.aheadRoom + unasked > 0))
      if (!this.mayTake || room === 0) this.waker.say(false)
      if (!this.mayTake || !mayClaim) {
        const waitMs = mustWait ? backoffMs(this.failures, SERVER_BACKOFF) : LONG_WAIT_MS
        await this.takerAlarm.wait(this.judging.restMs || waitMs)
        continue
      }
      let pauseMs: number
      try {
        // After an outage results go first: a claim might get a job whose result is waiting here.
        if (this.failures > 0) await this.parts.outbox.flush()
        pauseMs = await this.findJobs(unasked)
        if (this.failures > 0) log('server_back')
        this.failures = 0
      } catch (error) {
        if (error instanceof UnreadableJobError) {
          await this.returnUnreadable(error)
          continue
        }
        this.failures++
        this.waker.say(false)
        if (this.failures === 1) log('server_lost', { error: describeError(error) })
        const asked = error instanceof UnreachableError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0
        const askedMs = Math.min(asked, LONGEST_ASKED_MS)
        await this.rest(askedMs)
        pauseMs = backoffMs(this.failures, SERVER_BACKOFF) - askedMs
      }
      if (pauseMs > 0) await this.takerAlarm.wait(pauseMs)
    }
  }

  /** Waits this long, even if the alarm rings; only the end of the runner cuts the wait short. */
  private async rest(ms: number): Promise<void> {
    const endMs = performance.now() + ms
    while (!this.draining && performance.now() < endMs)
      await this.takerAlarm.wait(endMs - performance.now())
  }

  /** How many more jobs may wait for a slot. */
  private get aheadRoom(): number {
    const { pool } = this.parts
    if (!this.judging.mayWait || pool.excess > 0) return 0
    return RUNNERS.aheadPerSlot * pool.size - this.active.ahead.length
  }

  /** Whether this runner takes jobs now. */
  private get mayTake(): boolean {
    return !this.draining && this.wantedState === 'active' && this.judging.restMs === 0
  }

  /** Finds jobs for free slots, or else one job that waits here for a slot. @returns the pause before it is called again, ms */
  private async findJobs(room: number): Promise<number> {
    const start = (job: Job) => this.start(job)
    if (room > 0) return this.finder.findJobs(room, this.parts.pool.free > 0, start)
    const found = await this.finder.claim({ takesRuns: false, ahead: true }, start)
    return found ? 0 : LONG_WAIT_MS
  }

  /** What a result asks for: a job for a free slot, or else a job that waits here for a slot; undefined: nothing. */
  private askWithResult(isRepeated: boolean): ClaimRequest | undefined {
    if (!this.mayTake || this.finder.hasLostClaim) return undefined
    const free = this.parts.pool.free - this.asked
    if (free <= 0 && this.aheadRoom + free <= 0 && !isRepeated) return undefined
    // The server must hear this before it looks for a job: it tells only of jobs that come later.
    if (free > 0) this.waker.say(true)
    this.finder.noteLook()
    this.asked++
    return { takesRuns: free > 0, ahead: free <= 0 }
  }

  private takeWithResult(answer: Job | UnreadableJobError | null | undefined): void {
    this.asked--
    if (answer === undefined) this.finder.wake()
    else if (answer instanceof UnreadableJobError) void this.returnUnreadable(answer)
    else if (answer) {
      this.finder.noteJob(answer)
      this.start(answer)
    }
    // A server that did not answer is left alone for a while.
    if (this.failures === 0) this.takerAlarm.ring()
  }

  private async returnUnreadable(error: UnreadableJobError): Promise<void> {
    await handBack(this.parts, error.handle, UNREADABLE, describeError(error))
  }

  private start(job: Job): void {
    const { pool } = this.parts
    if (this.draining || (pool.free === 0 && this.judging.ownFailures > 0))
      return void handBack(this.parts, job, NOT_BEGUN, 'It has no slot.')
    const free = pool.take()
    const active = this.active.add(job)
    active.isAhead = free === null
    if (active.isAhead) this.judging.noteAhead(active)
    const begun = free
      ? this.work(active, free)
      : this.workNext(this.takePlaceOfRun() ?? pool.takeNext())
    const work = begun.finally(() => this.working.delete(work))
    this.working.add(work)
  }

  /** Judges the best of the jobs that wait here, once a slot is free: as many of these calls wait as jobs. */
  private async workNext(freed: Promise<PoolSlot>): Promise<void> {
    const slot = await freed
    const { next } = this.active
    if (next) await this.work(next, slot)
    else this.parts.pool.putBack(slot)
  }

  /** Hands the latest sample run back and waits for its slot. Null: no sample run has a slot. */
  private takePlaceOfRun(): Promise<PoolSlot> | null {
    const run = this.active.runs.findLast(({ isAhead }) => !isAhead)
    if (!run) return null
    const slot = this.parts.pool.takeNext()
    void this.judging.abandon(run, 'A submission took its place.')
    return slot
  }

  private async work(active: ActiveJob, slot: PoolSlot): Promise<void> {
    const { judgementId, lease } = active.job
    const judgement = await this.judging.judgeIn(slot, active)
    if (judgement && !active.abandoned) {
      const settled = await this.parts.outbox.post(judgementId, { ...judgement, lease })
      if (!settled) this.results.ring()
    } else {
      // Usually the result asks for the next job, but none was sent.
      this.finder.wake()
    }
    this.active.remove(active)
    this.takerAlarm.ring()
  }

  /** Names the jobs that are judged here or whose results wait: this keeps their leases. */
  private buildHeartbeat() {
    const { outbox, pool } = this.parts
    const ids = new Set([...this.active.ids, ...outbox.waiting])
    return {
      active: [...ids].slice(0, RUNNERS.jobsPerSlot * RUNNERS.slots),
      slots: pool.size,
      free: this.draining ? 0 : pool.free,
      load: loadavg()[0] ?? 0,
    }
  }

  /** Whether nothing is judged or waits here, so that the runner may end for an update. */
  private get isIdle(): boolean {
    return this.active.ids.length === 0 && this.parts.outbox.waiting.length === 0
  }

  private apply({ state, pack }: HeartbeatAnswer): void {
    const isOffered = this.parts.updates.offer(pack)
    if (this.wantedState === state && !(isOffered && this.isIdle)) return
    if (this.wantedState !== state && (state === 'draining' || this.wantedState === 'draining'))
      this.parts.log(state === 'draining' ? 'paused' : 'resumed')
    this.wantedState = state
    this.finder.wake()
    this.takerAlarm.ring()
  }

  private async finishOrHandBack(): Promise<void> {
    const { log, drainGraceMs = DRAIN_GRACE_MS } = this.parts
    log('draining', { active: this.active.ids.length })
    const closed = within(LAST_CALL_MS, this.finder.close(this.parts.outbox.mayHoldJobs))
    const ahead = this.judging.abandonAhead('The runner was stopped.')
    await within(drainGraceMs, Promise.all([...this.working, closed, ahead]))
    const { waiting } = this.parts.outbox
    const handing = this.active.all
      .filter(({ abandoned, job }) => !abandoned && !waiting.includes(job.judgementId))
      .map((active) => this.judging.abandon(active, 'The runner was stopped.'))
    await within(HAND_BACK_MS, Promise.all(handing))
  }
}

/** Waits for a promise, but not longer than `mostMs`. */
async function within(mostMs: number, promise: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, mostMs)
  await Promise.race([promise, late])
  clearTimeout(timer)
}
