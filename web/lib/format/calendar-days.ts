/** Days as a calendar counts them: a day with a clock change has 23 or 25 hours. */
import { instantOf, wallSecondsAt } from '#contract/wall-time'

/**
 * The instant some calendar days later, at which a clock shows the same time.
 * @param at epoch seconds
 * @param timeZone IANA name
 */
export function addCalendarDays(at: number, days: number, timeZone: string): number {
  return instantOf(wallSecondsAt(at, timeZone) + days * 86_400, timeZone)
}
