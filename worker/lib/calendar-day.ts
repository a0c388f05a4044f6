/** The calendar day of a time zone: the period of a problem's quota (contract §6). */

/** Longer than any day, clock changes included. */
const SEARCH_SECONDS = 26 * 3600

/** The smallest integer in (low, high] for which the test holds; it must hold at `high`. */
function firstWhere(low: number, high: number, test: (value: number) => boolean): number {
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (test(middle)) high = middle
    else low = middle
  }
  return high
}

/**
 * The first second of the day that `now` falls in, and of the day after, on the clocks of a time zone.
 * Found by search, because a midnight may be skipped or happen twice when clocks change.
 * @param now epoch seconds
 * @param timeZone IANA name
 */
export function calendarDay(now: number, timeZone: string): { start: number; end: number } {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
  const dateAt = (seconds: number): string => format.format(seconds * 1000)
  const today = dateAt(now)
  return {
    start: firstWhere(now - SEARCH_SECONDS, now, (seconds) => dateAt(seconds) === today),
    end: firstWhere(now, now + SEARCH_SECONDS, (seconds) => dateAt(seconds) !== today),
  }
}
