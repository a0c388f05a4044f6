/** Compares the program's output with the expected one, line by line. */
import type { CompareMode } from '#contract/compare'

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

/** Whether differing lines are marked; in other modes they may be right. */
export function marksLines(mode: CompareMode['mode']): mode is keyof typeof COUNTING {
  return mode in COUNTING
}

/** The lines of `text`, each marked if it differs from the same line of `other`. */
export function compareLines(
  text: string,
  other: string,
  mode: CompareMode['mode'] = 'lines',
): ComparedLine[] {
  const others = toLines(other)
  if (!marksLines(mode)) return toLines(text).map((line) => ({ text: line, differs: false }))
  const counting = COUNTING[mode]
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
