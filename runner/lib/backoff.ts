/** Waits that grow with each failure. Their random part keeps runners from trying at the same time. Pure. */

export interface Backoff {
  /** Wait after the first failure, ms. */
  baseMs: number
  /** The longest wait, ms. */
  maxMs: number
}

/**
 * The wait before the next try. It doubles with every failure up to the maximum; half of it is random.
 * @param failures in a row so far, from 1
 * @param random a number in [0, 1)
 */
export function backoffMs(
  failures: number,
  { baseMs, maxMs }: Backoff,
  random: () => number = Math.random,
): number {
  const full = Math.min(maxMs, baseMs * 2 ** Math.max(0, failures - 1))
  return Math.round(full / 2 + (full / 2) * random())
}

/** A period changed at random by up to 20 %, so that many runners do not ask at the same time. */
export function jitteredMs(periodMs: number, random: () => number = Math.random): number {
  return Math.round(periodMs * (0.8 + 0.4 * random()))
}
