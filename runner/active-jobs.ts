/** The jobs that this runner holds: at work, or judged with the result on its way. */
import type { Job } from '#contract/judging'

export interface ActiveJob {
  job: Job
  /** When it got its slot, on a clock that never jumps, ms. */
  startMs: number
  abort: AbortController
  /** Whether the lease is lost or was handed back: no result is sent. */
  abandoned: boolean
  /** Whether only its result is still on its way. */
  isJudged: boolean
  /** Whether it waits for a slot that is not free yet. */
  isAhead: boolean
  /** Rings when it has waited for a slot for too long. */
  timer?: NodeJS.Timeout
}

export class ActiveJobs {
  private readonly byId = new Map<string, ActiveJob>()

  add(job: Job): ActiveJob {
    const active = {
      job,
      abort: new AbortController(),
      abandoned: false,
      isJudged: false,
      isAhead: false,
      startMs: performance.now(),
    }
    this.byId.set(job.judgementId, active)
    return active
  }

  /** Forgets a job, unless the server has given it anew meanwhile. */
  remove(active: ActiveJob): void {
    const { judgementId } = active.job
    if (this.byId.get(judgementId) === active) this.byId.delete(judgementId)
  }

  get all(): ActiveJob[] {
    return [...this.byId.values()]
  }

  get ids(): string[] {
    return [...this.byId.keys()]
  }

  /** Jobs that wait for a slot. */
  get ahead(): ActiveJob[] {
    return this.all.filter(({ isAhead, abandoned }) => isAhead && !abandoned)
  }

  /** Sample runs at work, each of which can make room for a submission. */
  get runs(): ActiveJob[] {
    return this.all.filter(
      ({ job, abandoned, isJudged }) => 'inputs' in job.testData && !abandoned && !isJudged,
    )
  }
}
