/** Histograms of scores. */

/** A range of whole numbers, both ends included. */
interface HistogramBin {
  from: number
  to: number
  count: number
}

/** At most this many bins below the full score, which has its own bin. */
const BINS = 10

/**
 * @param scores a score with decimals counts in the bin of its whole number
 * @param full the highest possible score
 */
export function histogram(scores: readonly number[], full: number): HistogramBin[] {
  const length = Math.min(BINS, full)
  const width = full / length
  const bins = Array.from({ length }, (_, index) => ({
    from: Math.ceil(index * width),
    to: Math.ceil((index + 1) * width) - 1,
    count: 0,
  }))
  const top = { from: full, to: full, count: 0 }
  for (const score of scores) (bins[Math.floor(Math.floor(score) / width)] ?? top).count += 1
  return [...bins, top]
}

/** `10–19`; a range of one number is that number. */
export function binLabel({ from, to }: HistogramBin): string {
  return from === to ? String(from) : `${from}–${to}`
}

/** The histogram as bars of a plot. */
export function histogramBars(scores: readonly number[], full: number) {
  return histogram(scores, full).map((bin) => ({ label: binLabel(bin), count: bin.count }))
}
