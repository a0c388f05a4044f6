/**
 * The default comparison: line by line, white space at the end of a line and blank lines at the end of
 * the output do not count. Works on bytes, so NUL and invalid UTF-8 are as good as any other; reads both
 * files in chunks, so a line of any length costs no memory.
 */
import type { FileHandle } from 'node:fs/promises'

const CHUNK_BYTES = 64 * 1024
const NEWLINE = 0x0a
const END = -1

/** What comparing needs of a file. Positions are explicit: the handle's own offset does not matter. */
export type ByteSource = Pick<FileHandle, 'read'>

/** Space, tab, vertical tab, form feed and carriage return; the newline is not among them. */
function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || (byte >= 0x0b && byte <= 0x0d)
}

function isLineEnd(byte: number): boolean {
  return byte === NEWLINE || byte === END
}

/** Buffers of finished comparisons: a case would else leave two for the garbage collection. */
const spare: Buffer[] = []

/** One file, read front to back. `chunk[at]` is the next byte whenever `at < length`. */
class ByteReader {
  readonly chunk = spare.pop() ?? Buffer.allocUnsafe(CHUNK_BYTES)
  length = 0
  at = 0
  private position = 0
  private readonly source: ByteSource

  constructor(source: ByteSource) {
    this.source = source
  }

  /** Gives its buffer to the next reader. */
  done(): void {
    spare.push(this.chunk)
  }

  /** Makes the next byte available; false at the end of the file. */
  async fill(): Promise<boolean> {
    if (this.at < this.length) return true
    const { bytesRead } = await this.source.read(this.chunk, 0, CHUNK_BYTES, this.position)
    this.position += bytesRead
    this.length = bytesRead
    this.at = 0
    return bytesRead > 0
  }

  /** Takes bytes for as long as they are white space, newlines included on request; the byte that follows. */
  async skipBlank(newlinesToo: boolean): Promise<number> {
    while (await this.fill()) {
      while (this.at < this.length) {
        const byte = this.chunk[this.at] ?? END
        if (!isBlank(byte) && !(newlinesToo && byte === NEWLINE)) return byte
        this.at++
      }
    }
    return END
  }
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
    while (l < leftLength && isBlank(leftChunk[l] ?? END)) l++
    while (r < rightLength && isBlank(rightChunk[r] ?? END)) r++
    if (l >= leftLength || r >= rightLength) return
    if (leftChunk[l] !== NEWLINE || rightChunk[r] !== NEWLINE) return
    l++
    r++
  }
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
export async function linesMatch(output: ByteSource, expected: ByteSource): Promise<boolean> {
  const left = new ByteReader(output)
  const right = new ByteReader(expected)
  try {
    return await restMatches(left, right)
  } finally {
    left.done()
    right.done()
  }
}

async function restMatches(left: ByteReader, right: ByteReader): Promise<boolean> {
  for (;;) {
    await skipShared(left, right)
    const leftEnd = await left.skipBlank(false)
    const rightEnd = await right.skipBlank(false)
    if (!isLineEnd(leftEnd) || !isLineEnd(rightEnd)) return false
    if (leftEnd === END || rightEnd === END) break
    left.at++
    right.at++
  }
  return (await left.skipBlank(true)) === END && (await right.skipBlank(true)) === END
}
