/** Wall time: what a clock in a time zone shows, in the browser and in the Worker alike. */

/**
 * What a clock shows at an instant, as the epoch seconds at which UTC shows the same.
 * @param timeZone IANA name; the machine's own unless given
 */
export function wallSecondsAt(epochSeconds: number, timeZone?: string): number {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(epochSeconds * 1000)
  function of(type: Intl.DateTimeFormatPartTypes): number {
    return Number(parts.find((part) => part.type === type)?.value)
  }
  const day = [of('year'), of('month') - 1, of('day')] as const
  return Date.UTC(...day, of('hour'), of('minute'), of('second')) / 1000
}

/**
 * The instant at which a clock shows a wall time, in epoch seconds; the earlier one if there are two. A time that a clock change
 * skips moves behind the gap: 02:30 becomes 03:30.
 * @param wallSeconds as `wallSecondsAt` gives it
 * @param timeZone IANA name; the machine's own unless given
 */
export function instantOf(wallSeconds: number, timeZone?: string): number {
  const offsetAt = (at: number) => wallSecondsAt(at, timeZone) - at
  // Clocks change at most once a day, so the offset of the day before or that of the day after applies.
  const before = wallSeconds - offsetAt(wallSeconds - 86_400)
  const after = wallSeconds - offsetAt(wallSeconds + 86_400)
  if (wallSecondsAt(before, timeZone) === wallSeconds) return before
  return wallSecondsAt(after, timeZone) === wallSeconds ? after : before
}

/** The end of the year 9999 in any time zone, in epoch seconds. Later times are typing errors. */
const LAST_DATE = 253_402_387_199

/**
 * The times of a homework or of an override whose course gets another time zone: a clock there then shows what a clock in the old zone
 * showed. Past times stay, and so do times behind the year 9999. A time that would move into the past becomes `now`.
 * @param times epoch seconds, in the order of time; null: not set
 * @param from IANA name of the old zone; `to` is that of the new zone
 * @param now epoch seconds of the server's clock
 */
export function keepWallTimes<Name extends string, Time extends number | null>(
  times: Record<Name, Time>,
  from: string,
  to: string,
  now: number,
): Record<Name, Time> {
  const move = (at: number) =>
    at < now || at > LAST_DATE ? at : Math.max(now, instantOf(wallSecondsAt(at, from), to))
  let earliest = 0
  const moved = Object.entries<Time>(times).map(([name, at]) => {
    if (at === null) return [name, null]
    // If the clock skips the time between two of them, the later one could come first.
    earliest = Math.max(earliest, move(at))
    return [name, earliest]
  })
  return Object.fromEntries(moved) as Record<Name, Time>
}
