/**
 * Compares an output with the expected one (docs/checkers.md), outside the sandbox and in bounded memory. It compares
 * bytes, so NUL and invalid UTF-8 are bytes like any other.
 */
import { ignoresCase, type CompareMode, type JudgeProgram } from '#contract/problems/compare'
import { ByteReader, type ByteSource } from './byte-reader.ts'
import { linesMatch } from './lines.ts'
import { floatsAlike, tokensMatch } from './tokens.ts'

/** A mode that compares two files. */
export type Comparison = Exclude<CompareMode, JudgeProgram>

/** Whether two files are equal in the mode `exact`. */
async function bytesMatch(left: ByteReader, right: ByteReader): Promise<boolean> {
  for (;;) {
    const more = [await left.fill(), await right.fill()]
    if (more.includes(false)) return !more.includes(true)
    const shared = Math.min(left.length - left.at, right.length - right.at)
    const { chunk, at } = right
    if (left.chunk.compare(chunk, at, at + shared, left.at, left.at + shared) !== 0) return false
    left.at += shared
    right.at += shared
  }
}

function match(comparison: Comparison, left: ByteReader, right: ByteReader): Promise<boolean> {
  switch (comparison.mode) {
    case 'lines':
      return linesMatch(left, right)
    case 'tokens':
      return tokensMatch(left, right)
    case 'float':
      return tokensMatch(left, right, floatsAlike(comparison))
    case 'exact':
      return bytesMatch(left, right)
  }
}

/** Whether `output` is right. */
export async function outputsMatch(
  comparison: Comparison,
  output: ByteSource,
  expected: ByteSource,
): Promise<boolean> {
  const left = new ByteReader(output, ignoresCase(comparison))
  const right = new ByteReader(expected, ignoresCase(comparison))
  try {
    return await match(comparison, left, right)
  } finally {
    left.done()
    right.done()
  }
}
