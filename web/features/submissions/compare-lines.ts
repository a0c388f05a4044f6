/** Own output against the expected one, line by line. */
import type { ShownCompareMode } from '#contract/compare'

export interface ComparedLine {
  text: string
  differs: boolean
}

/** Lines of a text; a final newline ends the last line and starts no other. */
function toLines(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** A line as far as it counts. */
const COUNTING = {
  lines: (line: string) => line.trimEnd(),
  tokens: (line: string) => line.trim().replaceAll(/\s+/g, ' '),
  exact: (line: string) => line,
}

/** How lines can be compared; null in a mode in which another line may be right as well. */
export type LineComparison = keyof typeof COUNTING | null

/** How the lines of a problem's outputs are compared. */
export function lineComparison({ mode }: ShownCompareMode): LineComparison {
  return mode === 'lines' || mode === 'tokens' || mode === 'exact' ? mode : null
}

/** Each line of `text`, marked where the line of the same number in `other` is another one. */
export function compareLines(
  text: string,
  other: string,
  comparison: LineComparison = 'lines',
): ComparedLine[] {
  const others = toLines(other)
  if (comparison === null) return toLines(text).map((line) => ({ text: line, differs: false }))
  const counting = COUNTING[comparison]
  return toLines(text).map((line, index) => ({
    text: line,
    differs: counting(line) !== counting(others[index] ?? ''),
  }))
}

/** Control characters as their pictures (U+2400 ff.), but for tabs: a browser shows nothing for NUL. */
export function visibleControls(line: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  return line.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, (character) =>
    character === '\u007f' ? '␡' : String.fromCharCode(0x2400 + character.charCodeAt(0)),
  )
}

/** White space made visible: a dot per space, an arrow per tab, control characters as their pictures. */
export function visibleSpace(line: string): string {
  return visibleControls(line.replaceAll(' ', '·').replaceAll('\t', '→\t'))
}
