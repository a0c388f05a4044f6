/** A wait that other code can end by a ring. A ring between two waits is not lost: the next wait returns at once. */
export class Alarm {
  private rung = false
  private wake: (() => void) | null = null

  ring(): void {
    this.rung = true
    this.wake?.()
  }

  /** Returns after `ms`, or as soon as the alarm rings. */
  async wait(ms: number): Promise<void> {
    if (!this.rung) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, ms)
      this.wake = resolve
      await promise
      clearTimeout(timer)
      this.wake = null
    }
    this.rung = false
  }
}
