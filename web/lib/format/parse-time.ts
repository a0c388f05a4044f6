/** Reads times as they are shown everywhere: `YYYY-MM-DD HH:mm`. */
import { instantOf } from '#contract/wall-time'
import { formatTime, LAST_SECOND } from './format.ts'

const PARTS = /^([1-9]\d{3,4})-(\d\d)-(\d\d) (\d\d):(\d\d)$/

/**
 * The epoch seconds of `YYYY-MM-DD HH:mm`; not a number for any other text. A time that a clock change leaves out is
 * read as one hour later.
 * @param timeZone the reader's own unless given
 */
export function parseTime(text: string, timeZone?: string): number {
  const [year = 0, month = 0, ...rest] = PARTS.exec(text)?.slice(1).map(Number) ?? []
  const wall = Date.UTC(year, month - 1, ...rest) / 1000
  // Refuses days like 30 February, which would be read as another day.
  return formatTime(wall, 'UTC') === text ? instantOf(wall, timeZone) : Number.NaN
}

/**
 * Reads a deadline, the last second in time, as `formatDeadline` writes it. A text without seconds means the last
 * second of the minute.
 */
export function parseDeadline(text: string, timeZone?: string): number {
  const [, minute = text, second = LAST_SECOND] = /^(.*:\d\d):([0-5]\d)$/.exec(text) ?? []
  return parseTime(minute, timeZone) + Number(second)
}
