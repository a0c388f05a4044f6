/** Compares two programs as a report does, and finds where their equal runs stand in the code. */
import type { CopycatFragment } from '#contract/copycat'
import type { CopyFamily } from '#contract/languages'
import { buildCorpus, type Program } from './corpus.ts'
import { matcherOf, type Match, type Run } from './matching.ts'
import { tokenize, type Tokens } from './tokens.ts'

/** The offset at which each line begins. */
function lineStarts(code: string): number[] {
  const starts = [0]
  for (let at = code.indexOf('\n'); at >= 0; at = code.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** The line (from 1) of an offset. */
function lineAt(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low + 1
}

/** Finds where in the code a sequence of tokens stands. */
function rangeFinder(code: string, { starts, ends }: Tokens) {
  const lines = lineStarts(code)
  return (first: number, length: number) => {
    const start = starts[first] ?? 0
    const end = ends[first + length - 1] ?? start
    return { start, end, startLine: lineAt(lines, start), endLine: lineAt(lines, end) }
  }
}

/** A run without the boilerplate at its ends. */
function trimBoilerplate(run: Run, left: Program, right: Program): Run {
  const isCommon = (at: number) =>
    left.common[run.left + at] === 1 || right.common[run.right + at] === 1
  let from = 0
  let to = run.length
  while (from < to && isCommon(from)) from += 1
  while (to > from && isCommon(to - 1)) to -= 1
  return { ...run, left: run.left + from, right: run.right + from, length: to - from }
}

/**
 * Compares two programs of one family.
 * @param common hashes that the report took for boilerplate
 */
export function comparePair(
  [leftCode, rightCode]: readonly [string, string],
  family: CopyFamily,
  common: ReadonlySet<number>,
): Omit<Match, 'runs' | 'work'> & { fragments: CopycatFragment[] } {
  const leftTokens = tokenize(leftCode, family)
  const rightTokens = tokenize(rightCode, family)
  const corpus = buildCorpus([leftTokens.kinds, rightTokens.kinds], common, Infinity)
  const [left, right] = corpus.programs
  if (!left || !right) throw new Error('two programs were given')
  const { similarity, longest, overlap, runs } = matcherOf(corpus)(right)(left)
  const rangeLeft = rangeFinder(leftCode, leftTokens)
  const rangeRight = rangeFinder(rightCode, rightTokens)
  const fragments = runs
    .filter((run) => run.counted > 0)
    .map((run) => trimBoilerplate(run, left, right))
    .map((run) => ({
      left: rangeLeft(run.left, run.length),
      right: rangeRight(run.right, run.length),
      tokens: run.counted,
    }))
  return { similarity, longest, overlap, fragments }
}
