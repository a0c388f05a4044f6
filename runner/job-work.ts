/** Judges jobs in slots: it tells the server how far each is, foresees its end, and hands back what cannot be judged here. */
import type { RunnerRegistered } from '#contract/judging'
import { JUDGING, RUNNERS } from '#contract/limits'
import { resultFault } from '#contract/judging/result-check'
import type { ActiveJob, ActiveJobs } from './active-jobs.ts'
import type { Compiler } from './compile/program-cache.ts'
import { faultOf, ImpossibleResultError, leavesSlotWhole } from './failures.ts'
import type { PoolSlot, SlotPool } from './host/slot-pool.ts'
import { CaseCache } from './judge/case-cache.ts'
import { CaseGate } from './judge/case-gate.ts'
import { judge, type Judgement, type Progress } from './judge/judge.ts'
import { type Backoff, backoffMs } from './lib/backoff.ts'
import { describeError, type Log } from './lib/log.ts'
import { LONGEST_AHEAD_MS, SlotForecast } from './slot-forecast.ts'
import type { ServerClient } from './server/client.ts'
import { RefusedError } from './server/errors.ts'
import { handBack, MADE_ROOM, NOT_BEGUN } from './server/hand-back.ts'
import { ProgressReporter } from './server/progress.ts'
import type { TestDataCache } from './test-data/store.ts'

/** After a failure of this machine. */
const OWN_BACKOFF: Backoff = { baseMs: 500, maxMs: 60_000 }
/** Between looks at when the next job is to be claimed, ms. */
const LOOK_MS = 5

/** What judging takes. */
export interface JudgingParts {
  server: ServerClient
  settings: RunnerRegistered['config']
  pool: SlotPool
  testData: TestDataCache
  compiler: Compiler
  log: Log
}

/** What the rest of the runner tells and is told. */
interface Surroundings {
  active: ActiveJobs
  isDraining: () => boolean
  /** How long a claim takes, ms. */
  claimMs: () => number
  /** Called when a slot is free. */
  onSlot: () => void
  /** Called when a slot will be free in a moment. */
  onSlotSoon: () => void
}

export class JobWork {
  private readonly parts: JudgingParts
  private readonly around: Surroundings
  private readonly gate = new CaseGate()
  private readonly cases = new CaseCache()
  private readonly forecast = new SlotForecast()
  private claimTimer: NodeJS.Timeout | undefined
  private lookedMs = -Infinity
  /** Jobs in a row that this machine could not judge. */
  ownFailures = 0
  private restsUntilMs = -Infinity

  constructor(parts: JudgingParts, around: Surroundings) {
    this.parts = parts
    this.around = around
  }

  /** How long this machine takes no job: one that keeps failing must not fail one job after the other. */
  get restMs(): number {
    return Math.max(0, this.restsUntilMs - performance.now())
  }

  /** Slots that will be free in a moment, without a next job. */
  get slotsSoonFree(): number {
    if (this.ownFailures > 0) return 0
    const due = this.claimsInMs().filter((ms) => ms <= 0).length - this.parts.pool.excess
    return Math.max(0, Math.min(due, this.mostAhead - this.around.active.ahead.length))
  }

  /** Jobs that are to wait for a slot, with those that do. */
  get wantedAhead(): number {
    return Math.min(this.around.active.ahead.length + this.slotsSoonFree, this.mostAhead)
  }

  /** How many jobs may wait for a slot. */
  private get mostAhead(): number {
    return RUNNERS.aheadPerSlot * this.parts.pool.size
  }

  /** The times until jobs for slots at work are to be claimed, ms; none or less: now. */
  private claimsInMs(): number[] {
    const { active, claimMs } = this.around
    const free = this.forecast.freeInMs(active.atWork, active.ahead.length, performance.now())
    return free.map((ms, before) => ms - this.forecast.leadMs(claimMs(), before))
  }

  /** Hands a job back that another host is to judge. */
  async abandon(active: ActiveJob, why: string): Promise<void> {
    active.abandoned = true
    active.abort.abort(new Error(why))
    await handBack(this.parts, active.job, active.isAhead ? NOT_BEGUN : MADE_ROOM, why)
  }

  /** Notes that a job waits for its slot. It goes back when it has done so for too long. */
  noteAhead(active: ActiveJob): void {
    active.timer = setTimeout(() => {
      if (!active.isAhead || active.abandoned) return
      void this.abandon(active, 'The job before it takes longer than foreseen.')
      this.awaitNextClaim()
    }, LONGEST_AHEAD_MS).unref()
    this.awaitNextClaim()
  }

  /** Hands back the jobs that wait for a slot. */
  async abandonAhead(why: string): Promise<void> {
    await Promise.all(this.around.active.ahead.map((active) => this.abandon(active, why)))
  }

  /** Notes that a job has its slot. */
  private takeSlot(active: ActiveJob): void {
    if (active.isAhead && this.around.isDraining() && !active.abandoned)
      void this.abandon(active, 'The runner was stopped.')
    active.isAhead = false
    clearTimeout(active.timer)
    active.startMs = performance.now()
  }

  /** Judges in a slot and frees it. When we fail: hands the job back, renews the slot and returns null. */
  async judgeIn(slot: PoolSlot, active: ActiveJob): Promise<Judgement | null> {
    const { job, abort } = active
    const { pool, log, settings, testData, compiler } = this.parts
    this.takeSlot(active)
    // A run loses its lease when its person starts another one.
    const progress = new ProgressReporter(
      settings.progressIntervalMs,
      (report) => this.sendProgress(active, report),
      'inputs' in job.testData ? 1 : JUDGING.progressRepeatIntervals,
    )
    try {
      abort.signal.throwIfAborted()
      const judgement = await judge(job, {
        slot,
        acquireTestData: (ref) => testData.acquire(ref),
        gate: this.gate,
        cases: this.cases,
        compiler,
        scratchDir: slot.scratchDir,
        onProgress: (report) => {
          progress.report(report)
          this.noteProgress(active, report)
        },
        signal: abort.signal,
      })
      const wrong = resultFault(job.tasks, judgement)
      if (wrong !== null) throw new ImpossibleResultError(wrong)
      pool.putBack(slot)
      pool.speedUp()
      this.ownFailures = 0
      this.restsUntilMs = -Infinity
      const { status, score, reason } = judgement
      const ms = Math.round(performance.now() - active.startMs)
      this.forecast.noteJob(ms)
      log('judged', { judgementId: job.judgementId, status, score, ms, reason })
      active.isJudged = true
      return { ...judgement, judgedMs: ms }
    } catch (error) {
      const fault = faultOf(error)
      if (error === abort.signal.reason || leavesSlotWhole(error)) pool.putBack(slot)
      else {
        this.ownFailures++
        this.restsUntilMs = performance.now() + backoffMs(this.ownFailures, OWN_BACKOFF)
        if (fault === 'host') pool.slowDown()
        void this.abandonAhead('The host could not judge the job before it.')
        void pool.renew(slot).then(() => this.around.onSlot())
      }
      // A signal to the process group stops the sandbox too: then the drain ended the job.
      if (!active.abandoned) {
        active.abandoned = true
        const drained = this.around.isDraining()
        await handBack(this.parts, job, { drained, fault }, describeError(error))
      }
      return null
    } finally {
      clearTimeout(active.timer)
      progress.stop()
    }
  }

  /** Notes how far a job is. Shortly before its end the next one is claimed. */
  private noteProgress(active: ActiveJob, progress: Progress): void {
    active.progress = progress
    active.progressMs = performance.now()
    if (progress.phase === 'running') active.runningMs ??= active.progressMs
    this.awaitNextClaim()
  }

  /** Tells when the next job is to be claimed. Cases may end by the thousand a second, so it looks now and then only. */
  private awaitNextClaim(): void {
    clearTimeout(this.claimTimer)
    if (this.around.active.ahead.length >= this.mostAhead) return
    const nowMs = performance.now()
    let ms = this.lookedMs + LOOK_MS - nowMs
    if (ms <= 0) {
      this.lookedMs = nowMs
      ms = Math.min(...this.claimsInMs())
      if (ms <= 0) return this.around.onSlotSoon()
    }
    // A timer may fire early: Node counts from the start of the current turn.
    if (ms < Infinity) this.claimTimer = setTimeout(() => this.awaitNextClaim(), ms).unref()
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
}
