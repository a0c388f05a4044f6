/** Where the keys of the gradebook's grid lead. Row −1 is the head, column 0 the people. */
export interface Position {
  row: number
  column: number
}

/** The cells between two corners; `to` is the active one. */
export interface Selection {
  from: Position
  to: Position
}

/** `rows`: without the head. `columns`: with that of the people. */
export interface GridSize {
  rows: number
  columns: number
}

/** `pageRows`: so many are in sight. */
type SeenSize = GridSize & { pageRows: number }

export type PressedKey = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>

/** What a key does. `text`: what the editing begins with; null: the mark as it is. */
export type Command =
  | { kind: 'move'; to: Position; isExtending: boolean }
  | { kind: 'edit'; text: string | null }
  | { kind: 'open' | 'close' | 'clear' | 'undo' | 'redo' }

/** The nearest position inside the grid. */
export function within({ row, column }: Position, { rows, columns }: GridSize): Position {
  return {
    row: Math.max(-1, Math.min(row, rows - 1)),
    column: Math.max(0, Math.min(column, columns - 1)),
  }
}

function moved({ key, ctrlKey, metaKey }: PressedKey, at: Position, size: SeenSize) {
  const isFar = ctrlKey || metaKey
  const { row, column } = at
  if (key === 'ArrowUp') return { row: row - 1, column }
  if (key === 'ArrowDown') return { row: row + 1, column }
  if (key === 'ArrowLeft') return { row, column: column - 1 }
  if (key === 'ArrowRight') return { row, column: column + 1 }
  if (key === 'Home') return { row: isFar ? 0 : row, column: 0 }
  if (key === 'End') return { row: isFar ? size.rows - 1 : row, column: size.columns - 1 }
  if (key === 'PageUp') return { row: Math.max(0, row - size.pageRows), column }
  return key === 'PageDown' ? { row: row + size.pageRows, column } : null
}

/** What a key does at a position; null: what the browser does. */
export function commandOf(pressed: PressedKey, at: Position, size: SeenSize): Command | null {
  const { key, shiftKey, altKey } = pressed
  if (altKey) return key === 'Enter' ? { kind: 'open' } : null
  const next = moved(pressed, at, size)
  if (next) return { kind: 'move', to: within(next, size), isExtending: shiftKey }
  if (pressed.ctrlKey || pressed.metaKey) {
    if (key.toLowerCase() === 'y') return { kind: 'redo' }
    return key.toLowerCase() === 'z' ? { kind: shiftKey ? 'redo' : 'undo' } : null
  }
  if (key === ' ') return { kind: 'open' }
  if (key === 'Escape') return { kind: 'close' }
  if (key === 'Enter' || key === 'F2') return { kind: 'edit', text: null }
  if (key === 'Delete' || key === 'Backspace') return { kind: 'clear' }
  return key.length === 1 ? { kind: 'edit', text: key } : null
}

/** The position after an edit that this key ended; null: the key does not end it. */
export function afterEdit(
  { key, shiftKey }: Pick<PressedKey, 'key' | 'shiftKey'>,
  { row, column }: Position,
  size: GridSize,
): Position | null {
  const step = shiftKey ? -1 : 1
  if (key === 'Enter') return within({ row: Math.max(0, row + step), column }, size)
  return key === 'Tab' ? within({ row, column: Math.max(1, column + step) }, size) : null
}

/** The first and last row and column of a selection. */
export function bounds({ from, to }: Selection) {
  return {
    top: Math.max(0, Math.min(from.row, to.row)),
    bottom: Math.max(from.row, to.row),
    left: Math.min(from.column, to.column),
    right: Math.max(from.column, to.column),
  }
}
