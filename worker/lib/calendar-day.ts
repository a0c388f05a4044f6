/** Calendar days of a time zone: the period of a daily quota. */

/** Longer than any day, clock changes included. */
export const LONGEST_DAY_SECONDS = 26 * 3600

/** The first second of a day and of the next one, in epoch seconds. */
interface Day {
  start: number
  end: number
}

/** The smallest integer in (low, high] for which the test is true; it must be true for `high`. */
function findFirst(low: number, high: number, test: (value: number) => boolean): number {
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (test(middle)) high = middle
    else low = middle
  }
  return high
}

/** The last day found for each time zone, kept because a search formats dozens of dates. */
const latest = new Map<string, Day>()

/**
 * The first second of the day that `now` falls in, and of the next day. A search finds them, because a midnight may be skipped
 * or happen twice when clocks change.
 * @param now epoch seconds
 * @param timeZone IANA name
 */
export function calendarDay(now: number, timeZone: string): Day {
  const known = latest.get(timeZone)
  if (known && known.start <= now && now < known.end) return known
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
  const dateAt = (seconds: number): string => format.format(seconds * 1000)
  const today = dateAt(now)
  const day = {
    start: findFirst(now - LONGEST_DAY_SECONDS, now, (seconds) => dateAt(seconds) === today),
    end: findFirst(now, now + LONGEST_DAY_SECONDS, (seconds) => dateAt(seconds) !== today),
  }
  latest.set(timeZone, day)
  return day
}
