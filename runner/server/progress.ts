/**
 * Sends a job's latest progress at most once per interval. A quick job sends none. Unchanged progress is sent again after some
 * intervals, because the server may have forgotten it and its answer tells whether the lease still holds.
 */
import type { ProgressReport } from '#contract/judging'

type Progress = Omit<ProgressReport, 'lease'>

export class ProgressReporter {
  private latest: Progress | null = null
  private isNew = false
  private silentIntervals = 0
  private sending = false
  private readonly timer: NodeJS.Timeout
  private readonly send: (progress: Progress) => Promise<void>
  private readonly repeatIntervals: number

  /**
   * @param send must not throw: progress is not worth a retry
   * @param repeatIntervals after how many intervals unchanged progress is sent again
   */
  constructor(
    intervalMs: number,
    send: (progress: Progress) => Promise<void>,
    repeatIntervals: number,
  ) {
    this.send = send
    this.repeatIntervals = repeatIntervals
    this.timer = setInterval(() => void this.flush(), intervalMs)
  }

  report(progress: Progress): void {
    this.latest = progress
    this.isNew = true
  }

  stop(): void {
    clearInterval(this.timer)
  }

  private async flush(): Promise<void> {
    if (this.sending || !this.latest) return
    this.silentIntervals += 1
    if (!this.isNew && this.silentIntervals < this.repeatIntervals) return
    this.isNew = false
    this.silentIntervals = 0
    this.sending = true
    await this.send(this.latest)
    this.sending = false
  }
}
