/** Consecutive lines of a text. */
interface Segment {
  lines: string[]
  /** Index of the first line. */
  first: number
}

/**
 * A text cut after some of its lines.
 * @param ends the lines (from 1) after which the text is cut; a number beyond the end counts as the last line
 */
export function segmentsOf(lines: readonly string[], ends: readonly number[]): Segment[] {
  const cuts = [...new Set([...ends.map((line) => Math.min(line, lines.length)), lines.length])]
  const sorted = cuts.toSorted((left, right) => left - right)
  return sorted.map((end, index) => {
    const first = sorted[index - 1] ?? 0
    return { lines: lines.slice(first, end), first }
  })
}
