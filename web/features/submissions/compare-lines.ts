/** Compares the program's output with the expected one, line by line. */
import type { ShownCompareMode } from '#contract/compare'

export interface ComparedLine {
  text: string
  differs: boolean
}

/** Lines of a text; a final newline starts no further line. */
function toLines(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** What counts of a line, by comparison mode. */
const COUNTING = {
  lines: (line: string) => line.trimEnd(),
  tokens: (line: string) => line.trim().replaceAll(/\s+/g, ' '),
  exact: (line: string) => line,
}

/** The comparison of lines; null in modes where a differing line may be right. */
export type LineComparison = keyof typeof COUNTING | null

/** The comparison of lines of a problem. */
export function lineComparison({ mode }: ShownCompareMode): LineComparison {
  return mode === 'lines' || mode === 'tokens' || mode === 'exact' ? mode : null
}

/** The lines of `text`, each marked if it differs from the same line of `other`. */
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

/** Control characters except tabs as their pictures (U+2400 ff.): a browser shows nothing for NUL. */
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
