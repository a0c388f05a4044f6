/** Poll interval of a page that waits for a verdict. */
import { LIVE, POLLING_MS } from '#contract/limits'

/**
 * Milliseconds until the next poll.
 * @param waitedMs how long this page has been waiting for the current judgement
 * @param hidden whether the page is in the background
 * @param live whether hints come, so that polling is only for one that is lost
 */
export function pollingIntervalMs(waitedMs: number, hidden: boolean, live = false): number {
  if (live) return LIVE.pollMs
  if (hidden) return POLLING_MS.hidden
  return waitedMs < POLLING_MS.firstForMs ? POLLING_MS.first : POLLING_MS.later
}
