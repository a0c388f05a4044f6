/** How fast one student may submit: a token bucket, worked out from when the last submissions came (contract §7). */
import { SUBMIT_LIMITS } from '#contract/limits'

/**
 * Seconds to wait before the next submission; 0 when it may come now.
 * @param times epoch seconds of earlier submissions, oldest first, far enough back for the bucket to have been full
 * @param now epoch seconds
 * @param perMinute refill; 0 turns the limit off
 */
export function secondsUntilAllowed(times: number[], now: number, perMinute: number): number {
  if (perMinute === 0) return 0
  const perSecond = perMinute / 60
  let tokens: number = SUBMIT_LIMITS.burst
  let last = times[0] ?? now
  for (const time of times) {
    tokens = Math.min(SUBMIT_LIMITS.burst, tokens + (time - last) * perSecond) - 1
    last = time
  }
  tokens = Math.min(SUBMIT_LIMITS.burst, tokens + (now - last) * perSecond)
  return tokens >= 1 ? 0 : Math.ceil((1 - tokens) / perSecond)
}
