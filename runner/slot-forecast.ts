/** Foresees when slots are free, so that their next jobs are there by then. */
import type { Progress } from './judge/judge.ts'

/** The share of the newest job in the moving average. */
const SHARE = 0.2
/** A job is claimed so many times the length of a claim, and so much, before its slot is free. */
const CLAIMS = 2
const SPARE_MS = 20
/** The longest lead, ms. A job that waits here starts later than it might elsewhere. */
const MOST_LEAD_MS = 1_000
/** A job that has waited here for a slot for so long goes back, ms: others may have one. */
export const LONGEST_AHEAD_MS = 2 * MOST_LEAD_MS

/** A job at work: its start, the first and the last progress of its cases. Times are those of a clock that never jumps, ms. */
export interface JobTiming {
  startMs: number
  runningMs: number | null
  progressMs: number
  progress: Progress | null
}

export class SlotForecast {
  /** How long jobs take: a moving average. Null before the first. */
  private jobMs: number | null = null

  noteJob(ms: number): void {
    this.jobMs = this.jobMs === null ? ms : this.jobMs + SHARE * (ms - this.jobMs)
  }

  /**
   * How long before its slot is free a job is claimed, ms.
   * @param claimMs how long a claim takes
   * @param before number of slots that are free before it: claims are made one after the other
   */
  leadMs(claimMs: number, before: number): number {
    return Math.min((before + CLAIMS) * claimMs + SPARE_MS, MOST_LEAD_MS)
  }

  /**
   * When slots are free for jobs that are not claimed yet, ms from now, the soonest first; infinite while nothing is known.
   * @param timings the jobs in slots
   * @param ahead number of jobs that wait for a slot
   */
  freeInMs(timings: readonly JobTiming[], ahead: number, nowMs: number): number[] {
    let free = timings.map((timing) => this.leftMs(timing, nowMs)).toSorted(byTime)
    for (let job = 0; job < ahead; job += 1) {
      const [soonest = Infinity, ...later] = free
      free = [...later, soonest + (this.jobMs ?? Infinity)].toSorted(byTime)
    }
    return free
  }

  /** By the cases of the job so far, else by the jobs before it. */
  private leftMs({ startMs, runningMs, progressMs, progress }: JobTiming, nowMs: number): number {
    const { done = 0, total = 0 } = progress ?? {}
    const isRunning = runningMs !== null && done > 0
    const endMs = isRunning
      ? progressMs + ((progressMs - runningMs) / done) * (total - done)
      : startMs + (this.jobMs ?? Infinity)
    // It takes longer than foreseen, nobody knows how much.
    return nowMs - endMs > MOST_LEAD_MS ? Infinity : Math.max(0, endMs - nowMs)
  }
}

const byTime = (a: number, b: number) => a - b
