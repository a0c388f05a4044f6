/** Times and durations as text, in the browser and in the Worker alike. */
import { wallSecondsAt } from '#contract/wall-time'

/** Epoch seconds as `YYYY-MM-DD HH:mm` in a time zone (the reader's own unless given). */
export function formatTime(epochSeconds: number, timeZone?: string): string {
  const shown = new Date(wallSecondsAt(epochSeconds, timeZone) * 1000).toISOString()
  // Removes the sign and the zero that stand before years of five digits.
  return shown
    .replace(/^\+0/, '')
    .replace('T', ' ')
    .replace(/:\d\d\.\d+Z$/, '')
}

export const TIME_UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/**
 * A duration in its two largest units: "2 days 3 hours".
 * @param seconds negative ones count as 0
 * @param language BCP 47 tag
 */
export function formatDuration(seconds: number, language: string): string {
  let rest = Math.max(0, Math.floor(seconds))
  const parts = TIME_UNITS.map(([unit, size]) => {
    const amount = Math.floor(rest / size)
    rest -= amount * size
    return { unit, amount }
  })
  const first = parts.findIndex(({ amount }) => amount > 0)
  // If all units are 0, only the seconds are shown.
  const shown = first === -1 ? parts.slice(-1) : parts.slice(first, first + 2)
  return shown
    .filter(({ amount }, index) => index === 0 || amount > 0)
    .map(({ unit, amount }) =>
      new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(amount),
    )
    .join(' ')
}
