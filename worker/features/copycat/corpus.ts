/** Prepares programs for comparing: numbers their shared fingerprints, and sets aside fingerprints that too many programs share. */
import { fingerprintsOf, gramLength, type Fingerprints } from './fingerprints.ts'

/** A program in a corpus. */
export interface Program {
  kinds: Uint8Array
  /** 1 for each token that is boilerplate: part of a common fingerprint's k-gram. */
  common: Uint8Array
  /** Tokens that are not boilerplate. */
  counted: number
  /** The number of each fingerprint that another program has too; `positions` says with which token it begins. */
  grams: Uint32Array
  positions: Uint16Array
}

/** Programs ready to be compared by `matcherOf`. */
export interface Corpus {
  programs: Program[]
  /** How many different fingerprints more than one program has; all `grams` are below this number. */
  gramCount: number
  /** Hashes of boilerplate, ascending. */
  common: Uint32Array
}

/** The index of a value in an ascending array, or −1. */
function indexInSorted(sorted: Uint32Array, value: number): number {
  let low = 0
  let high = sorted.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = sorted[middle] ?? 0
    if (found === value) return middle
    if (found < value) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** All hashes in ascending order; a hash of several programs occurs once for each of them. */
function sortedHashes(prints: readonly Fingerprints[]): Uint32Array {
  const all = new Uint32Array(prints.reduce((sum, { hashes }) => sum + hashes.length, 0))
  let count = 0
  for (const { hashes } of prints) {
    const own = hashes.toSorted()
    for (const [at, hash] of own.entries()) {
      if (at > 0 && hash === own[at - 1]) continue
      all[count] = hash
      count += 1
    }
  }
  return all.subarray(0, count).sort()
}

/** Splits hashes into hashes that several programs share and hashes that too many programs share. */
function splitShared(sorted: Uint32Array, mostPrograms: number, known: ReadonlySet<number>) {
  const shared: number[] = []
  const common = new Set(known)
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    const hash = sorted[from] ?? 0
    while (to < sorted.length && sorted[to] === hash) to += 1
    if (to - from > mostPrograms) common.add(hash)
    else if (to - from > 1 && !known.has(hash)) shared.push(hash)
  }
  return { shared: Uint32Array.from(shared), common: Uint32Array.from(common).sort() }
}

/** Marks the tokens of common fingerprints and keeps the fingerprints that may match. */
function toProgram(
  kinds: Uint8Array,
  { hashes, positions }: Fingerprints,
  { shared, common }: { shared: Uint32Array; common: Uint32Array },
): Program {
  const length = gramLength(kinds)
  const marks = new Uint8Array(kinds.length)
  const grams: number[] = []
  const kept: number[] = []
  for (const [at, hash] of hashes.entries()) {
    const position = positions[at] ?? 0
    const gram = indexInSorted(shared, hash)
    if (gram >= 0) {
      grams.push(gram)
      kept.push(position)
    } else if (indexInSorted(common, hash) >= 0) marks.fill(1, position, position + length)
  }
  let counted = 0
  for (const mark of marks) counted += 1 - mark
  return {
    kinds,
    common: marks,
    counted,
    grams: Uint32Array.from(grams),
    positions: Uint16Array.from(kept),
  }
}

/**
 * Prepares programs of one family.
 * @param programs the kinds of their tokens
 * @param known hashes that are boilerplate in any case: those of a template or of an earlier report
 * @param mostPrograms a fingerprint in more programs than this is boilerplate
 */
export function buildCorpus(
  programs: readonly Uint8Array[],
  known: ReadonlySet<number>,
  mostPrograms: number,
): Corpus {
  const prints = programs.map(fingerprintsOf)
  const hashes = splitShared(sortedHashes(prints), mostPrograms, known)
  return {
    programs: programs.flatMap((kinds, at) => {
      const print = prints[at]
      return print ? [toProgram(kinds, print, hashes)] : []
    }),
    gramCount: hashes.shared.length,
    common: hashes.common,
  }
}
