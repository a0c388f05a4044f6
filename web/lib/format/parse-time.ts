/** Reads times as they are shown everywhere: `YYYY-MM-DD HH:mm`. */
import { formatTime } from './format.ts'

/** A time as if it were one of UTC, in epoch seconds. */
function wallSeconds(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}Z`) / 1000
}

/**
 * The epoch seconds of `YYYY-MM-DD HH:mm`; not a number for any other text. An hour that a clock change leaves out is
 * read as the one after it.
 * @param timeZone the reader's own unless given
 */
export function parseTime(text: string, timeZone?: string): number {
  const wall = wallSeconds(text)
  if (Number.isNaN(wall) || formatTime(wall, 'UTC') !== text) return Number.NaN
  const offsetAt = (at: number) => wallSeconds(formatTime(at, timeZone)) - at
  // The offset before the time, then the one that holds there.
  const near = wall - offsetAt(wall)
  const read = wall - offsetAt(near)
  // Neither shows a time that is left out; the later one is the hour after it.
  return read + offsetAt(read) === wall ? read : Math.max(near, read)
}
