/**
 * Copy detection. A k-gram of 16 tokens is a little longer than the head of a `for` loop, which all
 * programs share. With windows of 8 k-grams, no run of 23 equal tokens is missed.
 */
export const COPYCAT = {
  gramTokens: 16,
  windowGrams: 8,
  /** A fingerprint in more programs than this, and in more than this share of them, is boilerplate. */
  commonPrograms: 10,
  commonShare: 1 / 3,
  /** The most positions of one fingerprint that are tried in the other program. */
  candidatesTried: 16,
  /** The most pairs in a report: the most similar ones. */
  pairs: 1_000,
  /** Bars of the histogram of similarities: 0.1 each. */
  histogramBars: 10,
  /** The most bytes of code in one report: 384 programs of full length. */
  sourceBytes: 24 * 1024 ** 2,
  /** Programs read in one step: at most 1 MiB. */
  readChunk: 16,
  /** Tokens compared in one step: half a second's work. */
  compareWork: 50_000_000,
} as const
