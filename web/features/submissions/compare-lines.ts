/** Own output against the expected one, line by line. */

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

/** White space at line ends does not count (compare mode `lines`). */
function sameLine(left: string | undefined, right: string | undefined): boolean {
  return (left ?? '').trimEnd() === (right ?? '').trimEnd()
}

/** Each line of `text`, marked where the line of the same number in `other` is another one. */
export function compareLines(text: string, other: string): ComparedLine[] {
  const others = toLines(other)
  return toLines(text).map((line, index) => ({
    text: line,
    differs: !sameLine(line, others[index]),
  }))
}

/** White space made visible: a dot per space, an arrow per tab, a sign per carriage return. */
export function visibleSpace(line: string): string {
  return line.replaceAll(' ', '·').replaceAll('\t', '→\t').replaceAll('\r', '␍')
}
