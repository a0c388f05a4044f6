/** Changes of marks in the grid: what a block changes, how cells look meanwhile, and what was before. */
import type { InfiniteData } from '@tanstack/react-query'
import type { GradebookCell, GradebookColumn, GradebookPage, MarkEdits } from '#contract/gradebook'
import { GRADEBOOK_LIMITS } from '#contract/limits'
import { cellText, parseCell, type CellFault, type Setting } from './cell-text.ts'
import { bounds, type Selection } from './grid-moves.ts'

export type MarkEdit = MarkEdits['edits'][number]
export type GridPerson = GradebookPage['people'][number]

/** A column of the grid. `cellIndex`: where its cells stand among those of a person. */
export type GridColumn = GradebookColumn & { cellIndex: number }

/** Whose mark in which column. */
export interface MarkAddress {
  username: string
  columnId: number
}

/** A cell that changes. */
export interface ChangedCell extends MarkAddress {
  cell: GradebookCell
}

const NO_CELL: GradebookCell = [null, '']

/** A person's cell in a column. */
export function cellOf(person: GridPerson, column: GridColumn): GradebookCell {
  return person.cells[column.cellIndex] ?? NO_CELL
}

/** Whether these edits are answered before the marks that follow from them are computed. */
export function isComputedLater(edits: readonly MarkEdit[]): boolean {
  return new Set(edits.map(({ username }) => username)).size > GRADEBOOK_LIMITS.peopleAtOnce
}

/** What staff have set in a cell. */
export function settingOf(
  [points, states]: GradebookCell,
  { kind }: Pick<GradebookColumn, 'kind'>,
): Setting {
  if (kind === 'homework' && !states.includes('s')) return { points: null, excused: false }
  return { points, excused: states.includes('e') }
}

const isSame = (left: Setting, right: Setting) =>
  left.points === right.points && left.excused === right.excused

/** How a cell looks until the API answers. */
export function cellAfter(
  [, states]: GradebookCell,
  { kind }: Pick<GradebookColumn, 'kind'>,
  { points, excused }: Setting,
): GradebookCell {
  const isSet = kind === 'homework' && (points !== null || excused)
  const others = states.replaceAll(/[esk]/g, '')
  return [points, `${excused ? 'e' : ''}${isSet ? 's' : ''}${others}`]
}

/** A text of a block that is no mark. */
export interface BlockFault {
  username: string
  columnName: string
  text: string
  fault: CellFault
}

/** The people and columns that stand in the grid, in order. */
export interface GridParts {
  people: readonly GridPerson[]
  columns: readonly GridColumn[]
}

/**
 * What a block changes whose upper left corner is that of the selection. A single cell fills the whole selection.
 * @returns `same`: cells that stay as they are; `leftOut`: cells of the block beside the grid, and those of the total
 */
export function editsOfBlock(
  block: readonly (readonly string[])[],
  { people, columns }: GridParts,
  selection: Selection,
): { edits: MarkEdit[]; same: MarkAddress[]; faults: BlockFault[]; leftOut: number } {
  const { top, bottom, left, right } = bounds(selection)
  const only = block.length === 1 && block[0]?.length === 1 ? (block[0][0] ?? '') : null
  const filled =
    only === null
      ? block
      : Array.from({ length: bottom - top + 1 }, () =>
          Array.from({ length: right - left + 1 }, () => only),
        )
  const edits: MarkEdit[] = []
  const same: MarkAddress[] = []
  const faults: BlockFault[] = []
  let leftOut = 0
  for (const [down, texts] of filled.entries())
    for (const [along, text] of texts.entries()) {
      const person = people[top + down]
      const column = columns[left + along - 1]
      if (person === undefined || column === undefined || column.kind === 'total') {
        leftOut += 1
        continue
      }
      const address = { username: person.user.username, columnId: column.id }
      const cell = cellOf(person, column)
      const setting = parseCell(text)
      // A computed mark that is typed as it is stays computed.
      if (text.trim() === cellText(cell)) same.push(address)
      else if (typeof setting === 'string')
        faults.push({ username: address.username, columnName: column.name, text, fault: setting })
      else if (isSame(setting, settingOf(cell, column))) same.push(address)
      else edits.push({ ...address, ...setting })
    }
  return { edits, same, faults, leftOut }
}

/** The loaded pages with some cells changed; people without a change stay the same objects. */
export function withCells(
  data: InfiniteData<GradebookPage, string>,
  changed: readonly ChangedCell[],
): InfiniteData<GradebookPage, string> {
  const byPerson = Map.groupBy(changed, ({ username }) => username)
  const pages = data.pages.map((page) => ({
    ...page,
    people: page.people.map((person) => {
      const own = byPerson.get(person.user.username)
      if (own === undefined) return person
      const cells = new Map(own.map(({ columnId, cell }) => [columnId, cell]))
      return {
        ...person,
        cells: person.cells.map((cell, index) => cells.get(page.columnIds[index] ?? 0) ?? cell),
      }
    }),
  }))
  return { ...data, pages }
}

/** A change that was saved: what was set before it, and by it with which reason. */
export interface SavedChange {
  before: MarkEdit[]
  after: MarkEdit[]
  reason: string
}

/** The reader's own changes: those that can be undone, and those that can be made again; the newest last. */
export interface History {
  done: readonly SavedChange[]
  undone: readonly SavedChange[]
}

/** The reason that the marks had before the newest change, if the reader's earlier changes gave all of them the same; else none. */
export function reasonBefore({ done }: History): string {
  const earlier = done.slice(0, -1)
  const reasons = new Set(
    done.at(-1)?.before.map((edit) => {
      const isOfCell = ({ username, columnId }: MarkEdit) =>
        username === edit.username && columnId === edit.columnId
      return earlier.findLast(({ after }) => after.some(isOfCell))?.reason ?? ''
    }),
  )
  const [reason = ''] = reasons
  return reasons.size === 1 ? reason : ''
}

/** What a save was: a new change, or one that undid or made again the newest. */
export type Direction = 'new' | 'undo' | 'redo'

/** The history after a save. */
export function recorded(history: History, change: SavedChange, direction: Direction): History {
  const { done, undone } = history
  // The panel may show a student whom the filter of labels hides: what was set there before is not known.
  if (change.before.length === 0) return history
  if (direction === 'new') return { done: [...done, change], undone: [] }
  if (direction === 'undo') return { done: done.slice(0, -1), undone: [...undone, change] }
  return { done: [...done, change], undone: undone.slice(0, -1) }
}
