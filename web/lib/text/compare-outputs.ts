/** Compares what a program printed with the expected output, line by line, the way the problem compares. */
import type { CompareMode } from '#contract/problems/compare'
import { KEPT_OUTPUT_BYTES } from '#contract/limits'
import { UNSEEN, unicodeNumber } from './unseen.ts'

/** The kept part of a text, and the size of the whole text in bytes. */
export interface KeptText {
  text: string
  size: number
}

/** A line beside its counterpart. If `text` or `other` is null, that side has no such line. */
export interface ComparedLine {
  text: string | null
  other: string | null
  differs: boolean
  /** Set if the only difference is a line end that one side lacks. */
  end?: 'extra' | 'missing'
}

/** The kind of difference, the first line that has it (from 1), and how many lines have it. */
export interface Difference {
  kind:
    | 'empty'
    | 'case'
    | 'space'
    | 'unseen'
    | 'carriageReturns'
    | 'lastLineEnd'
    | 'missingLines'
    | 'extraLines'
    | 'line'
  line: number
  count: number
  /** If only invisible characters differ: their Unicode numbers, each once. Such characters look like blanks or like nothing. */
  unseen: string[]
}

interface Line {
  text: string
  /** The part of the text that counts in the comparison. */
  compared: string
  hasEnd: boolean
}
type Pair = readonly [own: Line | undefined, expected: Line | undefined]

/** The judge's white space within a line (runner/compare/byte-reader.ts). Other blanks are letters to the judge. */
const BLANKS = ' \t\v\f\r'

/** A line without the blanks at its end. */
export function withoutBlankEnd(line: string): string {
  let end = line.length
  while (end > 0 && BLANKS.includes(line.charAt(end - 1))) end -= 1
  return line.slice(0, end)
}

/** The words of a text, with one blank between them. */
function wordsOf(text: string): string {
  return (text.match(/[^ \t\v\f\r\n]+/g) ?? []).join(' ')
}

/** The part of a line that counts, by comparison mode. */
const COUNTING = {
  lines: ({ compared }: Line) => withoutBlankEnd(compared),
  tokens: ({ compared }: Line) => wordsOf(compared),
  exact: ({ compared, hasEnd }: Line) => `${compared}${hasEnd ? '\n' : ''}`,
}
type MarkedMode = keyof typeof COUNTING

/** Whether the mode marks differing lines; in the other modes such lines may be correct. */
export function marksLines(mode: CompareMode['mode']): mode is MarkedMode {
  return mode in COUNTING
}

/** Whether only a part of the text is kept. */
export function isCut({ size }: KeptText): boolean {
  return size > KEPT_OUTPUT_BYTES
}

function withoutSpace(text: string): string {
  return text.replaceAll(/[ \t\v\f\r\n]+/g, '')
}

function seenOnly(text: string): string {
  return withoutSpace(text).replaceAll(UNSEEN, '')
}

/** A text with A to Z replaced by a to z, as the judge does. */
export function foldCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** Lines of a text; a final newline starts no further line. */
function toLines(text: string, ignoresCase: boolean): Line[] {
  const ended = text.split('\n')
  const last = ended.pop() ?? ''
  const toLine = (line: string, hasEnd: boolean) => ({
    text: line,
    compared: ignoresCase ? foldCase(line) : line,
    hasEnd,
  })
  const lines = ended.map((line) => toLine(line, true))
  return last === '' ? lines : [...lines, toLine(last, false)]
}

/** The number of equal items at the beginning, at most `most`. */
export function commonLength(most: number, isSame: (index: number) => boolean): number {
  let length = 0
  while (length < most && isSame(length)) length += 1
  return length
}

/** Pairs the lines: equal lines at the beginning and at the end, and the lines between them in their order. */
function pairLines(own: Line[], expected: Line[], mode: MarkedMode, alignsEnds: boolean): Pair[] {
  const isSame = (left: Line | undefined, right: Line | undefined) =>
    left !== undefined && right !== undefined && COUNTING[mode](left) === COUNTING[mode](right)
  const shorter = Math.min(own.length, expected.length)
  const before = commonLength(shorter, (index) => isSame(own[index], expected[index]))
  const after = alignsEnds
    ? commonLength(shorter - before, (index) => isSame(own.at(-1 - index), expected.at(-1 - index)))
    : 0
  const middle = Math.max(own.length, expected.length) - before - after
  const ownMiddle = own.slice(before, own.length - after)
  const expectedMiddle = expected.slice(before, expected.length - after)
  return [
    ...own.slice(0, before).map((line, index): Pair => [line, expected[index]]),
    ...Array.from({ length: middle }, (_, index): Pair => [
      ownMiddle[index],
      expectedMiddle[index],
    ]),
    ...own
      .slice(own.length - after)
      .map((line, index): Pair => [line, expected[expected.length - after + index]]),
  ]
}

/**
 * Whether a pair differs. A blank line counts as a missing one in mode `tokens`, and at the end of the text in mode `lines`.
 * @param isAtEnd whether only blank lines follow
 */
function pairDiffers([own, expected]: Pair, mode: MarkedMode, isAtEnd: boolean): boolean {
  const none = mode === 'tokens' || (mode === 'lines' && isAtEnd) ? '' : null
  const counting = (line: Line | undefined) => (line ? COUNTING[mode](line) : none)
  return counting(own) !== counting(expected)
}

/** The kind of difference that all differing pairs have in common. */
function kindOf(own: KeptText, expected: KeptText, pairs: Pair[]): Difference['kind'] {
  const all = (isSo: (left: string, right: string) => boolean) =>
    pairs.every(([left, right]) => left && right && isSo(left.compared, right.compared))
  if (wordsOf(own.text) === '') return 'empty'
  if (all((left, right) => left === right)) return 'lastLineEnd'
  if (all((left, right) => left.replace(/\r$/, '') === right.replace(/\r$/, '')))
    return 'carriageReturns'
  if (all((left, right) => left.toLowerCase() === right.toLowerCase())) return 'case'
  const isWhole = !isCut(own) && !isCut(expected)
  const allBut = (shown: (text: string) => string) =>
    (isWhole && shown(own.text) === shown(expected.text)) ||
    all((left, right) => shown(left) === shown(right))
  if (allBut(withoutSpace)) return 'space'
  if (allBut(seenOnly)) return 'unseen'
  if (pairs.every(([left]) => left === undefined)) return 'missingLines'
  return pairs.every(([, right]) => right === undefined) ? 'extraLines' : 'line'
}

/** The invisible characters of which one side has more than the other; if there are none, all invisible characters. */
function unseenIn(pairs: Pair[]): string[] {
  const texts = [0, 1].map((side) => pairs.map((pair) => pair[side]?.text ?? '').join('\n'))
  const all = [...new Set(texts.join('').match(UNSEEN))]
  const more = all.filter((one) => new Set(texts.map((text) => text.split(one).length)).size > 1)
  return (more.length > 0 ? more : all).map(unicodeNumber).toSorted()
}

/** One side of a pair. */
function toCompared([line, other]: Pair, differs: boolean): ComparedLine {
  const onlyEnds = differs && line !== undefined && other?.text === line.text
  return {
    text: line?.text ?? null,
    other: other?.text ?? null,
    differs,
    ...(onlyEnds && { end: line.hasEnd ? 'extra' : 'missing' }),
  }
}

/**
 * The lines of both texts, in pairs, and their difference; null if the kept parts do not differ, or if the
 * mode marks no lines.
 */
export function compareOutputs(
  own: KeptText,
  expected: KeptText,
  mode: CompareMode['mode'],
  ignoresCase = false,
): { own: ComparedLine[]; expected: ComparedLine[]; difference: Difference | null } {
  const lines = {
    own: toLines(own.text, ignoresCase),
    expected: toLines(expected.text, ignoresCase),
  }
  const words = ({ text }: KeptText) => wordsOf(ignoresCase ? foldCase(text) : text)
  const unmarked = (side: Line[]) => side.map((line) => toCompared([line, undefined], false))
  if (!marksLines(mode) || (mode === 'tokens' && words(own) === words(expected)))
    return { own: unmarked(lines.own), expected: unmarked(lines.expected), difference: null }
  const isWhole = !isCut(own) && !isCut(expected)
  // If a text was cut, its last kept line may be incomplete.
  const known = Math.min(
    isCut(own) ? lines.own.length - 1 : Infinity,
    isCut(expected) ? lines.expected.length - 1 : Infinity,
  )
  const pairs = pairLines(lines.own, lines.expected, mode, isWhole)
  const lastFull = pairs.findLastIndex((pair) =>
    pair.some((line) => line && wordsOf(line.text) !== ''),
  )
  const differs = pairs.map(
    (pair, index) => index < known && pairDiffers(pair, mode, index > lastFull),
  )
  const differing = pairs.filter((_, index) => differs[index])
  const kind = differing.length === 0 ? null : kindOf(own, expected, differing)
  const isPlain = (pair: Pair) => pair[kind === 'missingLines' ? 1 : 0] !== undefined
  return {
    own: pairs.map((pair, index) => toCompared(pair, differs[index] === true)),
    expected: pairs.map(([left, right], index) =>
      toCompared([right, left], differs[index] === true),
    ),
    difference: kind && {
      kind,
      line: pairs.slice(0, differs.indexOf(true) + 1).filter(isPlain).length,
      count: differing.length,
      unseen: kind === 'unseen' ? unseenIn(differing) : [],
    },
  }
}
