/**
 * The modes `tokens` and `float`: words separated by any white space. A token of any length costs no memory: one that is
 * longer than a chunk (64 KiB) is compared byte by byte, and never as a number.
 */
import { tolerancesOf } from '#contract/problems/compare'
import { type ByteReader, SPACE } from './byte-reader.ts'

/** Whether two tokens with different bytes count as equal. */
type Alike = (output: string, expected: string) => boolean

/**
 * A decimal number as programs print it; not hexadecimal, `inf` or `nan`. The regular expression matches a
 * digit in one way only; with two ways it would need seconds for a long token that is no number.
 */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

/** The number that a token is; null for any other word, and for a number that is too large. */
export function numberOf(token: string): number | null {
  if (!DECIMAL.test(token)) return null
  const number = Number(token)
  return Number.isFinite(number) ? number : null
}

function isSpace(byte: number): boolean {
  return SPACE[byte] === 1
}

/** Skips the white space before the next token; false when no token follows. */
async function skipSpace(reader: ByteReader): Promise<boolean> {
  while (await reader.fill()) {
    while (reader.at < reader.length) {
      if (!isSpace(reader.chunk[reader.at] ?? 0)) return true
      reader.at++
    }
  }
  return false
}

/** The end of the token that starts at `from`; `length` when it reaches the end of the chunk. */
function tokenEnd({ chunk, length }: ByteReader, from: number): number {
  let at = from
  while (at < length && !isSpace(chunk[at] ?? 0)) at++
  return at
}

/**
 * Compares tokens in pairs while both chunks hold whole tokens; false at a pair that differs.
 * Synchronous and byte by byte: a promise or a call per token would cost more than the comparison.
 */
function takeTokens(left: ByteReader, right: ByteReader, alike: Alike): boolean {
  const { chunk: leftChunk, length: leftLength } = left
  const { chunk: rightChunk, length: rightLength } = right
  for (;;) {
    let l = left.at
    let r = right.at
    while (l < leftLength && isSpace(leftChunk[l] ?? 0)) l++
    while (r < rightLength && isSpace(rightChunk[r] ?? 0)) r++
    left.at = l
    right.at = r
    while (l < leftLength && leftChunk[l] === rightChunk[r] && !isSpace(leftChunk[l] ?? 0)) {
      l++
      r++
    }
    if (l < leftLength && !isSpace(leftChunk[l] ?? 0)) l = tokenEnd(left, l)
    if (r < rightLength && !isSpace(rightChunk[r] ?? 0)) r = tokenEnd(right, r)
    // At the end of a chunk the token may continue in the next one.
    if (l >= leftLength || r >= rightLength) return true
    if (!sameToken(left, l, right, r, alike)) return false
    left.at = l
    right.at = r
  }
}

function sameToken(left: ByteReader, l: number, right: ByteReader, r: number, alike: Alike) {
  return (
    sameBytes(left, l, right, r) ||
    alike(left.chunk.toString('latin1', left.at, l), right.chunk.toString('latin1', right.at, r))
  )
}

function sameBytes(left: ByteReader, l: number, right: ByteReader, r: number): boolean {
  if (l - left.at !== r - right.at) return false
  for (let n = left.at, m = right.at; n < l; n++, m++)
    if (left.chunk[n] !== right.chunk[m]) return false
  return true
}

/** Whether the token at `at` is longer than a chunk. The caller has filled the chunk from `at` on. */
function isLong(reader: ByteReader): boolean {
  return !reader.ended && tokenEnd(reader, reader.at) === reader.length
}

/** Compares one token of each file, byte by byte; false when they differ. */
async function takeLongTokens(left: ByteReader, right: ByteReader): Promise<boolean> {
  for (;;) {
    const more = [await left.fill(), await right.fill()]
    const l = tokenEnd(left, left.at) - left.at
    const r = tokenEnd(right, right.at) - right.at
    if (!more.includes(true) || (l === 0 && r === 0)) return true
    const shared = Math.min(l, r)
    if (shared === 0) return false
    const { chunk, at } = right
    if (left.chunk.compare(chunk, at, at + shared, left.at, left.at + shared) !== 0) return false
    left.at += shared
    right.at += shared
  }
}

/** Reads until the chunk is full or the file ends: then it holds the whole next token, unless that is longer than a chunk. */
async function readFull(reader: ByteReader): Promise<void> {
  do await reader.more()
  while (!reader.ended && reader.length < reader.chunk.length)
}

/**
 * Whether two outputs have the same tokens.
 * @param alike decides on a pair of tokens with different bytes
 */
export async function tokensMatch(
  left: ByteReader,
  right: ByteReader,
  alike: Alike = () => false,
): Promise<boolean> {
  for (;;) {
    if (!takeTokens(left, right, alike)) return false
    const more = [await skipSpace(left), await skipSpace(right)]
    if (more.includes(false)) return !more.includes(true)
    await readFull(left)
    await readFull(right)
    if (isLong(left) || isLong(right)) {
      if (!(await takeLongTokens(left, right))) return false
    } else {
      // The last token of a file may have no white space after it.
      const l = tokenEnd(left, left.at)
      const r = tokenEnd(right, right.at)
      if (!sameToken(left, l, right, r, alike)) return false
      left.at = l
      right.at = r
    }
  }
}

/** The mode `float`: two finite decimal numbers may differ by either tolerance. */
export function floatsAlike(tolerances: { absolute?: number; relative?: number }): Alike {
  const { absolute, relative } = tolerancesOf(tolerances)
  return (output, expected) => {
    const wanted = numberOf(expected)
    const got = numberOf(output)
    if (wanted === null || got === null) return false
    const difference = Math.abs(got - wanted)
    return difference <= absolute || difference <= relative * Math.abs(wanted)
  }
}
