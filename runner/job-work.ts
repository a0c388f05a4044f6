/** Judges jobs in slots, reports their progress to the server, and hands back jobs that cannot be judged here. */
import type { RunnerRegistered } from '#contract/judging'
import { JUDGING } from '#contract/limits'
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
import type { ServerClient } from './server/client.ts'
import { RefusedError } from './server/errors.ts'
import { handBack, MADE_ROOM, NOT_BEGUN } from './server/hand-back.ts'
import { ProgressReporter } from './server/progress.ts'
import type { TestDataCache } from './test-data/store.ts'

/** The pause after a failure of this machine. */
const OWN_BACKOFF: Backoff = { baseMs: 500, maxMs: 60_000 }
/** A job that has waited this long for a slot goes back, ms: another host may have a free slot. */
const LONGEST_AHEAD_MS = 2_000

/** The parts of the runner that judging needs. */
export interface JudgingParts {
  server: ServerClient
  settings: RunnerRegistered['config']
  pool: SlotPool
  testData: TestDataCache
  compiler: Compiler
  log: Log
}

/** The links between this class and the rest of the runner. */
interface Surroundings {
  active: ActiveJobs
  isDraining: () => boolean
  /** Called when a slot has become free. */
  onSlot: () => void
}

export class JobWork {
  private readonly parts: JudgingParts
  private readonly around: Surroundings
  private readonly gate = new CaseGate()
  private readonly cases = new CaseCache()
  /** How long the last job took, or the least that a job still at work will take, ms. */
  private lastMs = 0
  /** How many jobs in a row this machine could not judge. */
  ownFailures = 0
  private restsUntilMs = -Infinity

  constructor(parts: JudgingParts, around: Surroundings) {
    this.parts = parts
    this.around = around
  }

  /** How long this machine takes no job, ms: a broken machine must not fail one job after the other. */
  get restMs(): number {
    return Math.max(0, this.restsUntilMs - performance.now())
  }

  /** Hands a job back, so that another host judges it. */
  async abandon(active: ActiveJob, why: string): Promise<void> {
    active.abandoned = true
    active.abort.abort(new Error(why))
    await handBack(this.parts, active.job, active.isAhead ? NOT_BEGUN : MADE_ROOM, why)
  }

  /** Whether jobs may wait here for a slot. They may not while jobs fail, or while a job takes longer than another may wait. */
  get mayWait(): boolean {
    return this.ownFailures === 0 && this.lastMs < LONGEST_AHEAD_MS
  }

  /** Notes that a job waits for its slot. The job goes back when it has waited too long. */
  noteAhead(active: ActiveJob): void {
    active.timer = setTimeout(() => {
      if (!active.isAhead || active.abandoned) return
      this.lastMs = LONGEST_AHEAD_MS
      void this.abandon(active, 'The job before it takes too long.')
    }, LONGEST_AHEAD_MS).unref()
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

  /** Judges a job in a slot and frees the slot. After a failure of ours it hands the job back, renews the slot and returns null. */
  async judgeIn(slot: PoolSlot, active: ActiveJob): Promise<Judgement | null> {
    const { job, abort } = active
    const { pool, log, settings, testData, compiler } = this.parts
    this.takeSlot(active)
    // A sample run loses its lease when the same person starts another one.
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
        onProgress: (report) => progress.report(report),
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
      this.lastMs = ms
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
      // A signal to the process group also stops the sandbox: then the job ended because the runner drains.
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
