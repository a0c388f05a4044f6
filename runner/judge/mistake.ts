/**
 * The fingerprint of a mistake: a hash of how the first failing case went, so that people with the same mistake are found without their outputs
 * (docs/judging.md, "Mistakes"). Pure. The server keeps fingerprints: after a change of what is hashed, a mistake no longer meets its old hints.
 */
import { firstCompileError } from '#contract/compile-errors'
import type { Job } from '#contract/judging'
import { languageOfId } from '#contract/languages'
import { type FailedCase } from '#contract/mistakes'
import { MISTAKE_HASH_BYTES } from '#contract/submissions'
import { ignoresCase, tolerancesOf, type CompareMode } from '#contract/problems/compare'
import { STATUS, type CaseEnd, type Verdict } from '#contract/verdicts'
import { BLANK, foldCase, NEWLINE, SPACE } from '../compare/byte-reader.ts'
import { numberOf } from '../compare/tokens.ts'
import { keyOf } from '../lib/file-cache.ts'
import type { FileStart } from './kept-output.ts'

/** How a case failed. */
interface Failure extends FailedCase {
  verdict: Verdict
  end: CaseEnd | undefined
  /** The start of its standard output. */
  output: FileStart
  /** The start of its standard error. */
  stderr: Uint8Array
}

function mistakeOf(parts: unknown[], output: Uint8Array | string): string {
  const hash = Buffer.from(keyOf(JSON.stringify(parts), output), 'hex')
  return hash.toString('base64url', 0, MISTAKE_HASH_BYTES)
}

/** The mistake of a failed case. */
export function mistakeOfCase(
  { compare, language }: Pick<Job, 'compare' | 'language'>,
  failure: Failure,
): string {
  const { task, case: number, verdict, end, output, stderr } = failure
  const how = [task, number, verdict, end ?? null]
  // Where a limit stops a program is chance, and so is its output.
  if (verdict !== STATUS.WA && verdict !== STATUS.RE) return mistakeOf(how, '')
  const exception = verdict === STATUS.RE ? exceptionIn(stderr, language) : null
  return mistakeOf([...how, exception], normalisedOutput(output, compare))
}

/** The name of the exception that ended a program; null when its language printed none. */
function exceptionIn(stderr: Uint8Array, language: Job['language']): string | null {
  const { exception } = languageOfId(language)
  return exception?.exec(Buffer.from(stderr).toString('latin1'))?.[1] ?? null
}

/** The mistake of a compilation: the compiler's first error without its names. */
export function mistakeOfCompilation(message: string): string {
  return mistakeOf([null, null, STATUS.CE], namelessError(firstCompileError(message)))
}

/** A text in quotes; the linker quotes `like this'. No quotation begins within a word, as in "can't". */
const QUOTED = /(?<!\w)(?:'([^']+)'|`([^`']+)'|‘([^‘’]+)’|“([^“”]+)”)/g
/** Quoted texts that are no names: signs such as `;`, and the function that every C program needs. */
const NO_NAME = /^(?:[!-/:-@[-^`{-~]+|main)$/
/** A missing header is named without quotes. */
const MISSING_HEADER = /^\S+(?=: No such file or directory)/
/** What depends on the program around the error: the word that follows it, and a name that resembles the wrong one. */
const SURROUNDINGS = / before (?:'[^']*'|‘[^‘’]*’|\w+ constant)(?: token)?|; did you mean .*$/g
const NUMBER = /U\+[\dA-F]+|0x[\da-f]+|\d+/g

/** An error of a compiler without names and numbers, so that other names make no other mistake. */
export function namelessError(error: string): string {
  return error
    .replaceAll(SURROUNDINGS, '')
    .replace(MISSING_HEADER, "'…'")
    .replaceAll(QUOTED, (_, ...texts: (string | undefined)[]) => {
      const text = texts.slice(0, 4).find((one) => one !== undefined) ?? ''
      return NO_NAME.test(text) ? `'${text}'` : "'…'"
    })
    .replaceAll(NUMBER, '0')
}

/** An output without the differences that its comparison ignores. Checkers and interactors count as `tokens`: they mostly read words. */
export function normalisedOutput({ start, size }: FileStart, compare: CompareMode): Buffer {
  if (compare.mode === 'exact') return start
  const bytes = Buffer.from(size > start.length ? wholeWords(start) : start)
  if (ignoresCase(compare)) foldCase(bytes)
  if (compare.mode === 'lines') return withoutBlankEnds(bytes)
  const words = wordsOf(bytes)
  return Buffer.from(
    (compare.mode === 'float' ? words.map(gridOf(compare)) : words).join(' '),
    'latin1',
  )
}

/** Drops a last word that may go on behind the end, unless it is the only one. */
function wholeWords(bytes: Buffer): Buffer {
  const last = bytes.findLastIndex((byte) => SPACE[byte])
  return last === -1 ? bytes : bytes.subarray(0, last)
}

/** Drops white space at line ends and blank lines at the end, as the mode `lines` ignores them. Works within `bytes`. */
function withoutBlankEnds(bytes: Buffer): Buffer {
  let length = 0
  /** The length without blanks at the end of the line. */
  let solid = 0
  for (const byte of bytes) {
    if (byte === NEWLINE) length = solid
    bytes[length++] = byte
    if (!BLANK[byte]) solid = length
  }
  return bytes.subarray(0, bytes.subarray(0, length).findLastIndex((byte) => !SPACE[byte]) + 1)
}

/** The words between white space (`SPACE`), a character for each byte. */
function wordsOf(bytes: Buffer): string[] {
  return bytes
    .toString('latin1')
    .split(/[\t-\r ]+/)
    .filter((word) => word !== '')
}

/** The smallest number that begins with 1 or 5, has zeros behind it, and is at least twice the tolerance; 0 for no tolerance. */
function stepOf(tolerance: number): number {
  if (tolerance === 0) return 0
  // Twelve digits: a product such as 3 · 0.1 may lie a little above what it stands for.
  const [mantissa, exponent] = (2 * tolerance).toExponential(11).split('e').map(Number)
  if (mantissa === undefined || exponent === undefined) return Number.NaN
  if (mantissa > 5) return Number(`1e${exponent + 1}`)
  return Number(`${mantissa > 1 ? 5 : 1}e${exponent}`)
}

/** From this many steps on, a number has no more digits than its step can tell. */
const MOST_STEPS = 1e15

/**
 * Rounds decimal numbers to a grid at least as wide as twice the tolerance, so that numbers within the tolerance of a point of the grid are
 * alike. Its points are short numbers, because results such as 0.5 or 2.25 are short, too. The relative tolerance is taken at the next power of
 * ten above the number: so the grid changes only at powers of ten, which are points of both grids.
 */
function gridOf(float: Parameters<typeof tolerancesOf>[0]): (word: string) => string {
  const { absolute, relative } = tolerancesOf(float)
  const rounded = (number: number): number => {
    const above = Number(`1e${Math.floor(Math.log10(Math.abs(number))) + 1}`)
    const step = stepOf(Math.max(absolute, relative * above))
    const steps = Math.round(number / step)
    // Fifteen digits: a product such as 3 · 0.1 has one too many.
    return Math.abs(steps) < MOST_STEPS ? Number((steps * step).toPrecision(15)) : number
  }
  // An output has the more words, the shorter they are, and then the fewer different ones.
  const known = new Map<string, string>()
  return (word) => {
    const before = known.get(word)
    if (before !== undefined) return before
    const number = numberOf(word)
    const text = number === null ? word : String(number === 0 ? 0 : rounded(number))
    known.set(word, text)
    return text
  }
}
