/** Finds the place for Markdown that is inserted: never where it would break a table's row. */

/** A row of a table that begins and ends with a bar. */
const ROW = /^\s*\|.*\|\s*$/

/**
 * The place for a text that is inserted at a caret. Before the first or after the last bar of a table's row, the text
 * would become an extra cell, which is hidden. So the text goes into the nearest cell.
 */
export function insertionPoint(text: string, caret: number): number {
  const start = text.lastIndexOf('\n', caret - 1) + 1
  const newline = text.indexOf('\n', caret)
  const line = text.slice(start, newline === -1 ? text.length : newline)
  if (!ROW.test(line)) return caret
  const first = start + line.indexOf('|') + 1
  const last = start + line.lastIndexOf('|')
  return Math.max(first, Math.min(caret, last))
}
