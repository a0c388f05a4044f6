/** Numbers as the reader's language writes them. */
import { formatNumber } from './format.ts'
import { useLocale } from './i18n.ts'
import { LOCALES } from './locale.ts'

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/**
 * A duration in its largest unit: "42 seconds", "3 minutes".
 * @param language BCP 47 tag
 */
function formatDuration(seconds: number, language: string): string {
  const [unit, size] = UNITS.find(([, size]) => seconds >= size) ?? ['second', 1]
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' })
  return format.format(Math.floor(seconds / size))
}

/** Functions that turn numbers into text in the current locale. */
export function useNumberText() {
  const { dateTag } = LOCALES[useLocale()]
  return {
    decimal: (value: number) => formatNumber(value, dateTag),
    /** Points, with at most two decimals. */
    points: (value: number) =>
      new Intl.NumberFormat(dateTag, { maximumFractionDigits: 2 }).format(value),
    whole: (value: number) => new Intl.NumberFormat(dateTag).format(value),
    /** A share in per cent, rounded down, so that 100 % means completely full. */
    percent: (share: number) =>
      new Intl.NumberFormat(dateTag, { style: 'percent' }).format(Math.floor(share * 100) / 100),
    duration: (seconds: number) => formatDuration(seconds, dateTag),
  }
}
