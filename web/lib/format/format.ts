/** Formats times and sizes. Dates are YYYY-MM-DD HH:mm in the reader's time zone. */
import { formatTime, TIME_UNITS } from '#contract/time-text'

export { formatDuration, formatTime } from '#contract/time-text'

/** The last second of a minute. */
export const LAST_SECOND = 59

/**
 * Formats a deadline, which is the last second in time, as its minute: "23:59" means until the end of that minute. A
 * deadline that does not end a minute is shown with its seconds.
 */
export function formatDeadline(epochSeconds: number, timeZone?: string): string {
  const second = epochSeconds % 60
  const minute = formatTime(epochSeconds, timeZone)
  return second === LAST_SECOND ? minute : `${minute}:${String(second).padStart(2, '0')}`
}

/** The reader's time zone as a short name, e.g. `GMT+8`. */
export function zoneName(epochSeconds: number, timeZone?: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'short' }).formatToParts(
    epochSeconds * 1000,
  )
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? ''
}

/**
 * A relative time: "5 min. ago", "in 2 days".
 * @param language BCP 47 tag
 */
export function formatRelative(epochSeconds: number, nowMs: number, language: string): string {
  const seconds = Math.round(epochSeconds - nowMs / 1000)
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })
  const [unit, size] = TIME_UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  return format.format(Math.trunc(seconds / size), unit)
}

/**
 * How long ago something was; never in the future, even if the clocks of the two times differ.
 * @param language BCP 47 tag
 */
export function formatAgo(epochSeconds: number, nowMs: number, language: string): string {
  return formatRelative(Math.min(epochSeconds, nowMs / 1000), nowMs, language)
}

/** KB (1024 bytes) as MB with at most one decimal, without the unit. */
export function kbToMb(kb: number): number {
  return Math.round((kb / 1024) * 10) / 10
}

/** MB as whole KB. */
export function mbToKb(mb: number): number {
  return Math.round(mb * 1024)
}

/** Bytes as a short text with its unit. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  if (bytes < 1024 ** 2) return `${(bytes / 1024).toFixed(1)} KiB`
  if (bytes < 1024 ** 3) return `${(bytes / 1024 ** 2).toFixed(1)} MiB`
  return `${(bytes / 1024 ** 3).toFixed(2)} GiB`
}

/**
 * A number with at most one decimal.
 * @param language BCP 47 tag
 */
export function formatNumber(value: number, language: string): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value)
}
