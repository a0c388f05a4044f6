/** The jobs that this runner holds, until the server has their results. */
import type { Job } from '#contract/judging'

export interface ActiveJob {
  job: Job
  /** When the job got its slot, on a clock that never jumps, ms. */
  startMs: number
  abort: AbortController
  /** Whether the lease was lost or the job was handed back, so no result is sent. */
  abandoned: boolean
  /** Whether the job is judged and only its result is still on the way. */
  isJudged: boolean
  /** Whether the job still waits for a slot. */
  isAhead: boolean
  /** Fires when the job has waited too long for a slot. */
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

  /** Forgets a job, unless the server has meanwhile given it to this runner again. */
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

  /**
   * The job that gets the next free slot, even one that was handed back: submissions come before bulk rejudges, then the student with
   * the fewest recent jobs, then the order of arrival. So a job that comes last does not wait for all the others of one student.
   */
  get next(): ActiveJob | undefined {
    const waiting = this.all.filter(({ isAhead }) => isAhead)
    const bulkOf = ({ job }: ActiveJob) => Number(job.rejudge !== undefined)
    return waiting.toSorted(
      (left, right) => bulkOf(left) - bulkOf(right) || left.job.rank - right.job.rank,
    )[0]
  }

  /** Unfinished sample runs. The runner can end any of them to make room for a submission. */
  get runs(): ActiveJob[] {
    return this.all.filter(
      ({ job, abandoned, isJudged }) => 'inputs' in job.testData && !abandoned && !isJudged,
    )
  }
}
