/** Poll intervals of pages that wait for a verdict. */

/** Poll interval in ms of a waiting page that gets hints, because a hint may be lost. */
export const LIVE_POLL_MS = 30_000

/**
 * Polling intervals of a waiting submission page without hints, in ms. The further back the submission is in the queue,
 * the less often the page polls: `perPlace` for each place, at most `longest`.
 */
export const POLLING_MS = {
  first: 300,
  firstForMs: 5_000,
  later: 800,
  hidden: 5_000,
  perPlace: 50,
  longest: 10_000,
} as const

/**
 * Milliseconds until the next poll.
 * @param waitedMs how long this page has been waiting for the current judgement
 * @param hidden whether the page is in the background
 * @param live whether hints come, so that polling only makes up for lost ones
 * @param place in the queue, 1 is next; 0: not in it, or unknown
 */
export function pollingIntervalMs(
  waitedMs: number,
  hidden: boolean,
  live = false,
  place = 0,
): number {
  if (live) return LIVE_POLL_MS
  const soonest = waitedMs < POLLING_MS.firstForMs ? POLLING_MS.first : POLLING_MS.later
  const byPlace = Math.min(place * POLLING_MS.perPlace, POLLING_MS.longest)
  return Math.max(hidden ? POLLING_MS.hidden : soonest, byPlace)
}
