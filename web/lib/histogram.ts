/** Histograms of scores. */

/** A range of whole numbers, both ends included. */
interface HistogramBin {
  from: number
  to: number
  count: number
}

/** Number of bins below the full score, which has its own bin. */
const BINS = 10

/**
 * @param full the highest possible score, a multiple of ten
 */
export function histogram(scores: readonly number[], full: number): HistogramBin[] {
  const width = full / BINS
  const bins = Array.from({ length: BINS }, (_, index) => ({
    from: index * width,
    to: (index + 1) * width - 1,
    count: 0,
  }))
  const top = { from: full, to: full, count: 0 }
  for (const score of scores) (bins[Math.floor(score / width)] ?? top).count += 1
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
