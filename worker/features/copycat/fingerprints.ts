/**
 * Fingerprints by winnowing: S. Schleimer, D. S. Wilkerson, A. Aiken, "Winnowing: Local Algorithms for Document Fingerprinting",
 * SIGMOD 2003. Of every window of k-grams, the k-gram with the smallest hash is kept. So two programs with `gramTokens +
 * windowGrams - 1` equal tokens in a row share a fingerprint.
 */
import { COPYCAT } from './limits.ts'

/**
 * Hashes of some k-grams and the token each begins with, ascending by position. 16 bits suffice: a source
 * has at most 65,536 bytes, and as many tokens.
 */
export interface Fingerprints {
  hashes: Uint32Array
  positions: Uint16Array
}

/** An odd number without pattern (the golden ratio in 32 bits). */
const BASE = 0x9e3779b1

/** Spreads a hash over all bits, so that "smallest" prefers no kind of token (MurmurHash3's finalizer). */
function mixBits(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** Tokens per k-gram of this program: a shorter program is a single gram. */
export function gramLength(kinds: Uint8Array): number {
  return Math.min(COPYCAT.gramTokens, kinds.length)
}

/** The hash of every k-gram (Karp and Rabin's rolling hash, modulo 2³²). */
export function gramHashes(kinds: Uint8Array): Uint32Array {
  const length = gramLength(kinds)
  const hashes = new Uint32Array(length === 0 ? 0 : kinds.length - length + 1)
  let highest = 1
  for (let power = 1; power < length; power += 1) highest = Math.imul(highest, BASE)
  let rolling = 0
  for (const [at, kind] of kinds.entries()) {
    if (at >= length) rolling = (rolling - Math.imul((kinds[at - length] ?? 0) + 1, highest)) | 0
    rolling = (Math.imul(rolling, BASE) + kind + 1) | 0
    if (at + 1 >= length) hashes[at + 1 - length] = mixBits(rolling)
  }
  return hashes
}

/** The position of the smallest hash in a window; of equal hashes the last. */
function lastSmallest(hashes: Uint32Array, from: number, to: number): number {
  let best = from
  for (let at = from + 1; at < to; at += 1) if ((hashes[at] ?? 0) <= (hashes[best] ?? 0)) best = at
  return best
}

/** Robust winnowing: among equal hashes the hash that was chosen before stays, so that repeated code gets few fingerprints. */
export function fingerprintsOf(kinds: Uint8Array): Fingerprints {
  const grams = gramHashes(kinds)
  const size = Math.min(COPYCAT.windowGrams, grams.length)
  const hashes = new Uint32Array(grams.length)
  const positions = new Uint16Array(grams.length)
  let count = 0
  let chosen = -1
  for (let end = Math.max(1, size); end <= grams.length; end += 1) {
    const from = end - size
    const isGone = chosen < from
    if (!isGone && (grams[end - 1] ?? 0) >= (grams[chosen] ?? 0)) continue
    chosen = isGone ? lastSmallest(grams, from, end) : end - 1
    hashes[count] = grams[chosen] ?? 0
    positions[count] = chosen
    count += 1
  }
  return { hashes: hashes.slice(0, count), positions: positions.slice(0, count) }
}
