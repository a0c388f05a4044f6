/**
 * Lets a slot measure alone: while it does, the other slots finish the case they are at and start no new
 * one, so that a second run of a near miss is not slowed by neighbours on shared caches and memory.
 */
export class CaseGate {
  private closed: Promise<void> | null = null

  /** Waits until nobody measures alone. Call before every case. */
  async enter(): Promise<void> {
    while (this.closed) await this.closed
  }

  /** Runs `work` while no other slot starts a case. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    // No wait between the look and the closing, or two would measure alone at once.
    while (this.closed) await this.closed
    const { promise, resolve } = Promise.withResolvers<void>()
    this.closed = promise
    try {
      return await work()
    } finally {
      this.closed = null
      resolve()
    }
  }
}
