/** What the statistics of a homework say about lists of numbers. */
import type { HomeworkStatistics, Spread } from '#contract/gradebook'

const toTwoDecimals = (value: number) => Math.round(value * 100) / 100

/** The value below which a part of a sorted list lies; between two values in proportion. */
function quantile(sorted: readonly number[], part: number): number {
  const at = (sorted.length - 1) * part
  const low = sorted[Math.floor(at)] ?? 0
  const high = sorted[Math.ceil(at)] ?? 0
  return toTwoDecimals(low + (high - low) * (at - Math.floor(at)))
}

/** The quartiles and the mean of a list, with two decimals; null where it is empty. */
export function spreadOf(values: readonly number[]): Spread | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((left, right) => left - right)
  const sum = sorted.reduce((total, value) => total + value, 0)
  return {
    count: sorted.length,
    min: quantile(sorted, 0),
    lower: quantile(sorted, 0.25),
    median: quantile(sorted, 0.5),
    upper: quantile(sorted, 0.75),
    max: quantile(sorted, 1),
    mean: toTwoDecimals(sum / sorted.length),
  }
}

/** Ten bars of ten percent, and one of 100 % and more. Percentages below 0 are in the first. */
export function barsOf(percentages: readonly number[]): HomeworkStatistics['marks']['bars'] {
  const counts = Array.from({ length: 11 }, () => 0)
  for (const percent of percentages) {
    const bar = Math.min(10, Math.max(0, Math.floor(percent / 10)))
    counts[bar] = (counts[bar] ?? 0) + 1
  }
  return counts.map((count, bar) => ({ from: bar * 10, count }))
}

/** How often each value occurs, the smallest first. */
export function countsOf(values: readonly number[]): [value: number, count: number][] {
  return [...Map.groupBy(values, (value) => value)]
    .map(([value, same]): [number, number] => [value, same.length])
    .toSorted(([left], [right]) => left - right)
}
