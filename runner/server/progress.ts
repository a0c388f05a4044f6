/**
 * Sends a job's latest progress at most once per interval. A quick job sends none. What `repeats` sends it once per interval,
 * new or not: the answer says whether the lease still holds.
 */
import type { ProgressReport } from '#contract/judging'

type Progress = Omit<ProgressReport, 'lease'>

export class ProgressReporter {
  private latest: Progress | null = null
  private sending = false
  private readonly timer: NodeJS.Timeout
  private readonly send: (progress: Progress) => Promise<void>
  private readonly repeats: boolean

  /** @param send must not throw: progress is not worth a retry */
  constructor(intervalMs: number, send: (progress: Progress) => Promise<void>, repeats = false) {
    this.send = send
    this.repeats = repeats
    this.timer = setInterval(() => void this.flush(), intervalMs)
  }

  report(progress: Progress): void {
    this.latest = progress
  }

  stop(): void {
    clearInterval(this.timer)
  }

  private async flush(): Promise<void> {
    if (this.sending || !this.latest) return
    const progress = this.latest
    if (!this.repeats) this.latest = null
    this.sending = true
    await this.send(progress)
    this.sending = false
  }
}
