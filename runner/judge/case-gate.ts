/**
 * Lets one slot measure alone: the other slots finish their case and start no new one, so that neighbours on
 * shared caches and memory do not slow the second run of a near miss. The time that this costs the other slots
 * has a budget, which refills slowly. When the budget is used up, the other slots go on during second runs.
 */
import { ALONE } from './run-limits.ts'

export class CaseGate {
  private closed: Promise<void> | null = null
  private readonly nowMs: () => number
  private budgetMs = ALONE.share * ALONE.windowMs
  private countedAtMs: number

  /** @param nowMs a clock that never goes back */
  constructor(nowMs: () => number = () => performance.now()) {
    this.nowMs = nowMs
    this.countedAtMs = nowMs()
  }

  /** Waits until no slot measures alone. Call it before every case. */
  async enter(): Promise<void> {
    while (this.closed) await this.closed
  }

  /**
   * Runs `work` while no other slot starts a case. When the budget is too small, the other slots go on during `work`.
   * @param mostMs the longest that `work` may take
   */
  async alone<T>(mostMs: number, work: () => Promise<T>): Promise<T> {
    // Nothing may be awaited between this check and the closing, or two slots would measure alone at once.
    while (this.closed) await this.closed
    if (mostMs > this.refillBudget()) return work()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.closed = promise
    const sinceMs = this.nowMs()
    try {
      return await work()
    } finally {
      this.budgetMs = this.refillBudget() - (this.nowMs() - sinceMs)
      this.closed = null
      resolve()
    }
  }

  /** Adds to the budget for the time that has passed. @returns the budget, ms; below zero when the last use took too long */
  private refillBudget(): number {
    const nowMs = this.nowMs()
    const earnedMs = (nowMs - this.countedAtMs) * ALONE.share
    this.countedAtMs = nowMs
    this.budgetMs = Math.min(this.budgetMs + earnedMs, ALONE.share * ALONE.windowMs)
    return this.budgetMs
  }
}
