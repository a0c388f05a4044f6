/**
 * The mode `lines`, the default: line by line, white space at the end of a line and blank lines at the end of
 * the output do not count. Works on bytes, so NUL and invalid UTF-8 are as good as any other; a line
 * of any length costs no memory.
 */
import { BLANK, type ByteReader, END, NEWLINE } from './byte-reader.ts'

function isLineEnd(byte: number): boolean {
  return byte === NEWLINE || byte === END
}

/**
 * Takes what both chunks share, and line ends that differ in white space only; stops where a chunk ends
 * or where it cannot decide. Synchronous: a promise per line would cost more than the comparison.
 */
function skipSharedInChunks(left: ByteReader, right: ByteReader): void {
  const { chunk: leftChunk, length: leftLength } = left
  const { chunk: rightChunk, length: rightLength } = right
  let l = left.at
  let r = right.at
  for (;;) {
    while (l < leftLength && r < rightLength && leftChunk[l] === rightChunk[r]) {
      l++
      r++
    }
    left.at = l
    right.at = r
    while (l < leftLength && BLANK[leftChunk[l] ?? 0]) l++
    while (r < rightLength && BLANK[rightChunk[r] ?? 0]) r++
    if (l >= leftLength || r >= rightLength) return
    if (leftChunk[l] !== NEWLINE || rightChunk[r] !== NEWLINE) return
    l++
    r++
  }
}

/** Takes bytes for as long as they are white space, newlines included on request; the byte that follows. */
async function skipBlank(reader: ByteReader, newlinesToo: boolean): Promise<number> {
  while (await reader.fill()) {
    while (reader.at < reader.length) {
      const byte = reader.chunk[reader.at] ?? END
      if (BLANK[byte] === 0 && !(newlinesToo && byte === NEWLINE)) return byte
      reader.at++
    }
  }
  return END
}

/** Takes all that both files share from here on; stops at the first difference or at an end. */
async function skipShared(left: ByteReader, right: ByteReader): Promise<void> {
  while ((await left.fill()) && (await right.fill())) {
    skipSharedInChunks(left, right)
    if (left.at < left.length && right.at < right.length) return
  }
}

/**
 * Whether two outputs are equal by the `lines` rule.
 * Both are walked in step. Where they first differ, both lines must be over but for white space; else
 * some content differs. This holds inside a run of white space too: if one line goes on after a run
 * that the other does not share, the contents differ whatever follows.
 */
export async function linesMatch(left: ByteReader, right: ByteReader): Promise<boolean> {
  for (;;) {
    await skipShared(left, right)
    const leftEnd = await skipBlank(left, false)
    const rightEnd = await skipBlank(right, false)
    if (!isLineEnd(leftEnd) || !isLineEnd(rightEnd)) return false
    if (leftEnd === END || rightEnd === END) break
    left.at++
    right.at++
  }
  return (await skipBlank(left, true)) === END && (await skipBlank(right, true)) === END
}
