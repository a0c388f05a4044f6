/**
 * Finds the code that two programs share: runs of equal tokens, grown in both directions from shared fingerprints. No token is in
 * two runs. The search is greedy from left to right, in linear time; the longest-first order of greedy string tiling (Wise 1993)
 * is cubic.
 */
import type { Corpus, Program } from './corpus.ts'
import { COPYCAT } from './limits.ts'

/** Work of the smallest pair, in tokens. */
const PAIR_WORK = 20

/** A run of equal tokens: where it begins in each program, its length, and how much of it counts. */
export interface Run {
  left: number
  right: number
  length: number
  /** Tokens that are boilerplate in neither program. */
  counted: number
}

/** The result of comparing two programs. `work`: the number of tokens that were looked at. */
export interface Match {
  /** 2 × overlap ÷ the counted tokens of both: 0 nothing in common, 1 the same but for names, values and layout. */
  similarity: number
  /** Counted tokens of the longest run. */
  longest: number
  /** Counted tokens of all runs. */
  overlap: number
  runs: Run[]
  work: number
}

/** Compares one program with others, one after the other. */
type Matcher = (left: Program) => Match

/** Grows a run of equal tokens in both directions from two equal fingerprints. It stops at tokens that another run has. */
function grow(
  left: Program,
  right: Program,
  [leftAt, rightAt]: readonly [number, number],
  free: number,
  marked: Uint8Array,
): Run {
  let back = 0
  while (
    leftAt - back > free &&
    rightAt - back > 0 &&
    marked[rightAt - back - 1] === 0 &&
    left.kinds[leftAt - back - 1] === right.kinds[rightAt - back - 1]
  )
    back += 1
  let ahead = 0
  while (
    leftAt + ahead < left.kinds.length &&
    rightAt + ahead < right.kinds.length &&
    marked[rightAt + ahead] === 0 &&
    left.kinds[leftAt + ahead] === right.kinds[rightAt + ahead]
  )
    ahead += 1
  return { left: leftAt - back, right: rightAt - back, length: back + ahead, counted: 0 }
}

/** How many tokens of a run are boilerplate in neither program. */
function countTokens(left: Program, right: Program, run: Run): number {
  let counted = 0
  for (let at = 0; at < run.length; at += 1)
    if (left.common[run.left + at] === 0 && right.common[run.right + at] === 0) counted += 1
  return counted
}

/** Makes matchers for programs of a corpus. A matcher is valid until the next one is made. */
export function matcherOf({ gramCount }: Corpus): (right: Program) => Matcher {
  /** The first position of each fingerprint in the right program; −1: it has none. */
  const heads = new Int32Array(gramCount).fill(-1)
  let current: Program | undefined

  return (right) => {
    for (const gram of current?.grams ?? []) heads[gram] = -1
    current = right
    // For each position, the next position of the same fingerprint.
    const next = new Int32Array(right.grams.length)
    for (let at = right.grams.length - 1; at >= 0; at -= 1) {
      const gram = right.grams[at] ?? 0
      next[at] = heads[gram] ?? -1
      heads[gram] = at
    }
    const index = { heads, next, marked: new Uint8Array(right.kinds.length) }
    return (left) => findRuns(left, right, index)
  }
}

/** The positions of fingerprints in the right program. `marked`: that program's tokens in a run; all 0 between two calls. */
interface GramIndex {
  heads: Int32Array
  next: Int32Array
  marked: Uint8Array
}

/** The equal runs of two programs, in the order of the left program. */
function findRuns(left: Program, right: Program, { heads, next, marked }: GramIndex): Match {
  const runs: Run[] = []
  const shortest = Math.min(COPYCAT.gramTokens, left.kinds.length, right.kinds.length)
  let free = 0
  let work = PAIR_WORK + left.grams.length
  for (const [at, gram] of left.grams.entries()) {
    const leftAt = left.positions[at] ?? 0
    if (leftAt < free) continue
    let best: Run | null = null
    let candidate = heads[gram] ?? -1
    // Few candidates are tried, so that repeated code stays cheap.
    for (let tries = 0; candidate >= 0 && tries < COPYCAT.candidatesTried; tries += 1) {
      const rightAt = right.positions[candidate] ?? 0
      if (marked[rightAt] === 0) {
        const run = grow(left, right, [leftAt, rightAt], free, marked)
        work += run.length
        if (!best || run.length > best.length) best = run
      }
      candidate = next[candidate] ?? -1
    }
    if (!best || best.length < shortest) continue
    free = best.left + best.length
    marked.fill(1, best.right, best.right + best.length)
    runs.push({ ...best, counted: countTokens(left, right, best) })
  }
  for (const run of runs) marked.fill(0, run.right, run.right + run.length)
  return { ...measurePair(left, right, runs), runs, work }
}

/** The measures of a pair. */
function measurePair(left: Program, right: Program, runs: readonly Run[]) {
  const overlap = runs.reduce((sum, run) => sum + run.counted, 0)
  const counted = left.counted + right.counted
  return {
    similarity: counted === 0 ? 0 : (2 * overlap) / counted,
    longest: Math.max(0, ...runs.map((run) => run.counted)),
    overlap,
  }
}
