/**
 * Lets a slot measure alone: while it does, the other slots finish the case they are at and start no new
 * one, so that a second run of a near miss is not slowed by neighbours on shared caches and memory.
 * What that costs the others has a budget, which time fills up again: when it is used up, a second run has neighbours.
 */
import { ALONE } from './run-limits.ts'

export class CaseGate {
  private closed: Promise<void> | null = null
  private readonly now: () => number
  private budgetMs = ALONE.share * ALONE.windowMs
  private countedAt: number

  /** @param now a clock in ms that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.now = now
    this.countedAt = now()
  }

  /** Waits until nobody measures alone. Call before every case. */
  async enter(): Promise<void> {
    while (this.closed) await this.closed
  }

  /**
   * Runs `work` while no other slot starts a case, or beside them where the budget is too small.
   * @param mostMs what `work` may take
   */
  async alone<T>(mostMs: number, work: () => Promise<T>): Promise<T> {
    // No wait between the look and the closing, or two would measure alone at once.
    while (this.closed) await this.closed
    if (mostMs > this.budget()) return work()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.closed = promise
    const since = this.now()
    try {
      return await work()
    } finally {
      this.budgetMs = this.budget() - (this.now() - since)
      this.closed = null
      resolve()
    }
  }

  /** What is left, in ms; below zero after a stop on a machine that was slow. */
  private budget(): number {
    const now = this.now()
    const earned = (now - this.countedAt) * ALONE.share
    this.countedAt = now
    this.budgetMs = Math.min(this.budgetMs + earned, ALONE.share * ALONE.windowMs)
    return this.budgetMs
  }
}
