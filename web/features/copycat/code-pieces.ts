/** Splits a program into lines, and each line at the parts that it shares with another program. */

/** Offsets of a part in the code; `end` is exclusive. */
export interface Part {
  start: number
  end: number
}

/** A piece of a line. `part`: the index of the shared part that it belongs to, or null. */
export interface Piece {
  text: string
  part: number | null
  /** Whether this piece is the first of the shared part. */
  isFirst: boolean
}

/**
 * The pieces of each line of a program.
 * @param parts in any order; they do not overlap
 */
export function codePieces(code: string, parts: readonly Part[]): Piece[][] {
  const ordered = parts
    .map((range, part) => ({ ...range, part }))
    .toSorted((one, other) => one.start - other.start)
  let next = 0
  let lineStart = 0
  return code.split('\n').map((line) => {
    const lineEnd = lineStart + line.length
    const pieces: Piece[] = []
    let at = lineStart
    for (let range = ordered[next]; range && range.start < lineEnd; range = ordered[next]) {
      const from = Math.max(range.start, lineStart)
      const to = Math.min(range.end, lineEnd)
      if (from > at) pieces.push({ text: code.slice(at, from), part: null, isFirst: false })
      const isFirst = range.start >= lineStart
      if (to > from) pieces.push({ text: code.slice(from, to), part: range.part, isFirst })
      at = Math.max(at, to)
      if (range.end > lineEnd) break
      next += 1
    }
    if (at < lineEnd) pieces.push({ text: code.slice(at, lineEnd), part: null, isFirst: false })
    lineStart = lineEnd + 1
    return pieces
  })
}
