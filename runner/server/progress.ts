/** Sends a job's latest progress at most once per interval. A quick job sends none. */
import type { ProgressReport } from '#contract/judging'

type Progress = Omit<ProgressReport, 'lease'>

export class ProgressReporter {
  private latest: Progress | null = null
  private sending = false
  private readonly timer: NodeJS.Timeout
  private readonly send: (progress: Progress) => Promise<void>

  /** @param send must not throw: progress is not worth a retry */
  constructor(intervalMs: number, send: (progress: Progress) => Promise<void>) {
    this.send = send
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
    this.latest = null
    this.sending = true
    await this.send(progress)
    this.sending = false
  }
}
