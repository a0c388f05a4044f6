/** Foresees when a slot is free, so that its next job is there by then. */
import type { Progress } from './judge/judge.ts'

/** The share of the newest job in the moving average. */
const SHARE = 0.2
/** The next job is claimed so many times the length of a claim, and so much, before a slot is free. */
const CLAIMS = 2
const SPARE_MS = 20
/** The longest lead, ms: a job that waits here starts later than it might elsewhere. */
const MOST_LEAD_MS = 1_000
/** A job that has waited here for a slot for so long goes back, ms: others may have one. */
export const LONGEST_AHEAD_MS = 2 * MOST_LEAD_MS

/** A job at work: its start, the first and the last word of its cases. Times are those of a clock that never jumps, ms. */
export interface Course {
  startMs: number
  runningMs: number | null
  progressMs: number
  progress: Progress | null
}

export class Pace {
  /** How long jobs take: a moving average. Null before the first. */
  private jobMs: number | null = null

  noteJob(ms: number): void {
    this.jobMs = this.jobMs === null ? ms : this.jobMs + SHARE * (ms - this.jobMs)
  }

  /**
   * The time until the job after this one is to be claimed, ms; none or less: now. By its cases so far, else by the jobs
   * before it; infinite while nothing is known.
   * @param claimMs how long a claim takes
   */
  claimsInMs(course: Course, nowMs: number, claimMs: number): number {
    const leftMs = this.leftMs(course, nowMs)
    // It takes longer than foreseen, nobody knows how much.
    if (leftMs < -MOST_LEAD_MS) return Infinity
    return leftMs - Math.min(CLAIMS * claimMs + SPARE_MS, MOST_LEAD_MS)
  }

  private leftMs({ startMs, runningMs, progressMs, progress }: Course, nowMs: number): number {
    const { done = 0, total = 0 } = progress ?? {}
    if (runningMs !== null && done > 0)
      return ((progressMs - runningMs) / done) * (total - done) - (nowMs - progressMs)
    return this.jobMs === null ? Infinity : this.jobMs - (nowMs - startMs)
  }
}
