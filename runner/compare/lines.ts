/**
 * The mode `lines`, the default: white space at line ends and blank lines at the end of the output do not count. A line of
 * any length costs no memory.
 */
import { BLANK, type ByteReader, END, NEWLINE } from './byte-reader.ts'

function isLineEnd(byte: number): boolean {
  return byte === NEWLINE || byte === END
}

/**
 * Skips bytes that are equal in both chunks, and line ends that differ only in white space. Stops at the end of a chunk,
 * or where equal bytes alone do not decide. Synchronous, because a promise per line would cost more than the comparison.
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

/** Skips white space; newlines only if `newlinesToo`. @returns the byte that follows, which is not skipped */
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

/** Skips bytes that are equal in both files. Stops at the first difference or at the end of a file. */
async function skipShared(left: ByteReader, right: ByteReader): Promise<void> {
  while ((await left.fill()) && (await right.fill())) {
    skipSharedInChunks(left, right)
    if (left.at < left.length && right.at < right.length) return
  }
}

/**
 * Whether two outputs are equal in the mode `lines`.
 * It reads both in step. Where two lines first differ, the rest of both lines must be white space. Lines that differ in
 * white space before further text are different.
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
