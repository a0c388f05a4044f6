/** The runner: it takes jobs while slots are free, judges and reports them, and drains when told to. */
import { loadavg } from 'node:os'
import type { HeartbeatAnswer, HostInfo, Job, RunnerRegistered } from '#contract/judging'
import { resultFault } from '#contract/result-check'
import { type ActiveJob, ActiveJobs } from './active-jobs.ts'
import { Alarm } from './lib/alarm.ts'
import { type Backoff, backoffMs } from './lib/backoff.ts'
import { CaseCache } from './judge/case-cache.ts'
import { CaseGate } from './judge/case-gate.ts'
import { faultOf, ImpossibleResultError, leavesSlotWhole } from './failures.ts'
import { handBack } from './server/hand-back.ts'
import { HeartbeatLoop } from './server/heartbeat.ts'
import { judge, type Judgement, type Progress } from './judge/judge.ts'
import { describeError, type Log } from './lib/log.ts'
import { within } from './lib/within.ts'
import type { Compiler } from './compile/program-cache.ts'
import { ProgressReporter } from './server/progress.ts'
import type { ResultOutbox } from './server/outbox.ts'
import { ResultLoop } from './server/result-loop.ts'
import type { PoolSlot, SlotPool } from './host/slot-pool.ts'
import type { Updates } from './host/updates.ts'
import type { ServerClient } from './server/client.ts'
import { RefusedError, UnreachableError, UnreadableJobError } from './server/errors.ts'
import type { TestDataCache } from './test-data/store.ts'
import { WorkFinder } from './server/work-finder.ts'

/** After a call that the server did not answer. */
const SERVER_BACKOFF: Backoff = { baseMs: 500, maxMs: 10_000 }
/** After a failure of this machine. */
const OWN_BACKOFF: Backoff = { baseMs: 500, maxMs: 60_000 }
/** How long a draining runner waits for the answer of a claim, then for the call that frees what that answer may hold. */
const LAST_CALL_MS = 1_000
/** How long it waits for its jobs, then for the calls that hand the rest back, then for slots to close. */
const DRAIN_GRACE_MS = 10_000
const HAND_BACK_MS = 5_000
const CLOSE_MS = 5_000
/** The longest wait that a server may ask for, ms. */
const LONGEST_ASKED_MS = 60_000
/** A wait for a free slot or a change of state; each of them rings the alarm. */
const LONG_WAIT_MS = 60_000
/** A job goes back for want of a slot: that uses up no attempt. */
const MADE_ROOM = { drained: true, fault: 'host' } as const
/** A job goes back that this runner cannot read. */
const UNREADABLE = { drained: false, fault: 'job' } as const

interface RunnerParts {
  server: ServerClient
  settings: RunnerRegistered['config']
  introduction: { version: string; host: HostInfo }
  hasQueue: boolean
  pool: SlotPool
  testData: TestDataCache
  compiler: Compiler
  outbox: ResultOutbox
  updates: Updates
  log: Log
  drainGraceMs?: number
}

export class Runner {
  private readonly parts: RunnerParts
  private readonly finder: WorkFinder
  private readonly heartbeats: HeartbeatLoop
  private readonly gate = new CaseGate()
  private readonly cases = new CaseCache()
  private readonly active = new ActiveJobs()
  private readonly working = new Set<Promise<void>>()
  private readonly takerAlarm = new Alarm()
  private readonly results: ResultLoop
  private readonly drained = Promise.withResolvers<void>()
  private draining = false
  /** The state that the server wants; null until the first heartbeat. */
  private wantedState: 'active' | 'draining' | null = null
  private ownFailures = 0

  constructor(parts: RunnerParts) {
    this.parts = parts
    const { server, hasQueue, settings, introduction, log } = parts
    const idleClaimMs = settings.idleClaimSeconds * 1_000
    const claimRequest = () => ({ delivering: this.delivering, takesRuns: parts.pool.free > 0 })
    const tellHeld = () => this.heartbeats.tellHeld()
    this.finder = new WorkFinder({ server, claimRequest, tellHeld, hasQueue, idleClaimMs, log })
    this.results = new ResultLoop(parts.outbox)
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
    const background = [this.heartbeats.run(), this.results.run()]
    const taking = this.takeJobs()
    await this.drained.promise
    await within(LAST_CALL_MS, taking)
    await this.finishOrHandBack()
    this.heartbeats.stop()
    this.results.stop()
    await within(CLOSE_MS, this.parts.pool.close())
    await within(CLOSE_MS, Promise.all(background))
  }

  /** Takes no more jobs, finishes or hands back those that run, then lets `run` return. */
  drain(): void {
    this.draining = true
    this.drained.resolve()
    this.parts.outbox.stop()
    this.finder.wake()
    this.takerAlarm.ring()
  }

  private async takeJobs(): Promise<void> {
    const { pool, log } = this.parts
    let failures = 0
    while (!this.draining) {
      // No claim is under way here.
      if (this.isIdle && this.parts.updates.begin()) return this.drain()
      // A sample run makes room for a submission.
      const room = pool.free + this.active.runs.length
      if (room === 0 || this.wantedState !== 'active') {
        await this.takerAlarm.wait(LONG_WAIT_MS)
        continue
      }
      let pauseMs: number
      try {
        // After an outage results go first: a claim might take a job whose result is waiting here.
        if (failures > 0) await this.parts.outbox.flush()
        pauseMs = await this.finder.findJobs(room, (job) => this.start(job))
        if (failures > 0) log('server_back')
        failures = 0
      } catch (error) {
        if (error instanceof UnreadableJobError) {
          await handBack(this.parts, error.handle, UNREADABLE, describeError(error))
          continue
        }
        failures++
        if (failures === 1) log('server_lost', { error: describeError(error) })
        const asked = error instanceof UnreachableError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0
        pauseMs = Math.max(Math.min(asked, LONGEST_ASKED_MS), backoffMs(failures, SERVER_BACKOFF))
      }
      // A machine that keeps failing must not fail one job after the other.
      if (this.ownFailures > 0)
        pauseMs = Math.max(pauseMs, backoffMs(this.ownFailures, OWN_BACKOFF))
      if (pauseMs > 0) await this.takerAlarm.wait(pauseMs)
    }
  }

  private start(job: Job): void {
    const slot = this.parts.pool.take() ?? this.takePlaceOfRun()
    if (slot === null) return void handBack(this.parts, job, MADE_ROOM, 'Its slot is not free yet.')
    const work = this.work(this.active.add(job), slot).finally(() => this.working.delete(work))
    this.working.add(work)
  }

  /** Hands the latest sample run back, and gives its slot once that is free. Null: it lost its lease meanwhile. */
  private takePlaceOfRun(): Promise<PoolSlot> | null {
    const run = this.active.runs.at(-1)
    if (!run) return null
    const slot = this.parts.pool.takeNext()
    const why = 'A submission took its place.'
    run.abandoned = true
    run.abort.abort(new Error(why))
    void handBack(this.parts, run.job, MADE_ROOM, why)
    return slot
  }

  private async work(active: ActiveJob, slot: PoolSlot | Promise<PoolSlot>): Promise<void> {
    const { judgementId, lease } = active.job
    const judgement = await this.judgeIn(await slot, active)
    this.finder.wake()
    this.takerAlarm.ring()
    if (judgement && !active.abandoned) {
      const settled = await this.parts.outbox.post(judgementId, { ...judgement, lease })
      if (!settled) this.results.ring()
    }
    this.active.remove(active)
  }

  /** Judges in a slot and frees it. When we fail: hands the job back, renews the slot and returns null. */
  private async judgeIn(slot: PoolSlot, active: ActiveJob): Promise<Judgement | null> {
    const { job, abort } = active
    const { pool, log, settings, testData, compiler } = this.parts
    const startMs = performance.now()
    // A run loses its lease when its person starts another one.
    const progress = new ProgressReporter(
      settings.progressIntervalMs,
      (report) => this.sendProgress(active, report),
      'inputs' in job.testData,
    )
    try {
      const judgement = await judge(job, {
        slot,
        acquireTestData: (ref) => testData.acquire(ref),
        gate: this.gate,
        cases: this.cases,
        compiler,
        scratchDir: slot.scratchDir,
        onProgress: (report) => progress.report(report),
        signal: abort.signal,
      })
      const wrong = resultFault(job.tasks, judgement)
      if (wrong !== null) throw new ImpossibleResultError(wrong)
      pool.putBack(slot)
      pool.speedUp()
      this.ownFailures = 0
      const { status, score, reason } = judgement
      const ms = Math.round(performance.now() - startMs)
      log('judged', { judgementId: job.judgementId, status, score, ms, reason })
      active.isJudged = true
      return judgement
    } catch (error) {
      const fault = faultOf(error)
      if (error === abort.signal.reason || leavesSlotWhole(error)) pool.putBack(slot)
      else {
        this.ownFailures++
        if (fault === 'host') pool.slowDown()
        void pool.renew(slot).then(() => this.takerAlarm.ring())
      }
      // A signal to the process group stops the sandbox too: then the drain ended the job.
      if (!active.abandoned) {
        active.abandoned = true
        await handBack(this.parts, job, { drained: this.draining, fault }, describeError(error))
      }
      return null
    } finally {
      progress.stop()
    }
  }

  /** Sends progress. A 409 means that the lease is lost, so judging stops. */
  private async sendProgress(active: ActiveJob, report: Progress): Promise<void> {
    const { job } = active
    try {
      await this.parts.server.progress(job.judgementId, { ...report, lease: job.lease })
    } catch (error) {
      if (!(error instanceof RefusedError && error.status === 409 && error.isFromServer)) return
      this.parts.log('lease_lost', { judgementId: job.judgementId })
      active.abandoned = true
      active.abort.abort(new Error('The lease is lost.'))
    }
  }

  /** Judged jobs whose results the server does not have yet. */
  private get delivering(): string[] {
    const ids = new Set([...this.active.judgedIds, ...this.parts.outbox.waiting])
    return [...ids].slice(0, 512)
  }

  /** Names the jobs that are judged here and those whose results wait: that keeps their leases. */
  private buildHeartbeat() {
    const { outbox, pool } = this.parts
    const ids = new Set([...this.active.ids, ...outbox.waiting])
    return {
      active: [...ids].slice(0, 256),
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
    const closed = within(LAST_CALL_MS, this.finder.close())
    await within(drainGraceMs, Promise.all([...this.working, closed]))
    const { waiting } = this.parts.outbox
    const handing = this.active.all
      .filter(({ abandoned, job }) => !abandoned && !waiting.includes(job.judgementId))
      .map(async (active) => {
        active.abandoned = true
        active.abort.abort(new Error('The runner is draining.'))
        await handBack(this.parts, active.job, MADE_ROOM, 'The runner was stopped.')
      })
    await within(HAND_BACK_MS, Promise.all(handing))
  }
}
