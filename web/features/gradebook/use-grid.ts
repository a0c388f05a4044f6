import { useDebouncedCallback } from '@mantine/hooks'
import {
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  type SyntheticEvent,
} from 'react'
import { useNavigate } from 'react-router'
import { useCourse } from '../../lib/queries/course.ts'
import { paths } from '../../paths.ts'
import { blockText, cellText, parseBlock } from './cell-text.ts'
import { cellOf, editsOfBlock, type GridParts } from './edits.ts'
import {
  afterEdit,
  bounds,
  commandOf,
  within,
  type Command,
  type Position,
  type Selection,
} from './grid-moves.ts'

export type BlockEdits = ReturnType<typeof editsOfBlock>

/** The element id of the grid. */
export const GRID_ID = 'gradebook-grid'

/** Sizes in pixels, as in `grid.module.css`. */
export const SIZES = { head: 56, row: 36, person: 190, column: 104 } as const

export interface GridActions {
  /** Whether the reader may change marks. */
  canEdit: boolean
  /** Saves what was typed, pasted or cleared, or asks first. */
  onChange: (change: BlockEdits) => void
  /** Opens the panel of a cell. */
  onOpen: (username: string, columnId: number) => void
  onClose: () => void
  onStepBack: (direction: 'undo' | 'redo') => void
}

/** The position that an element of the grid shows. */
function positionOf(target: EventTarget): Position | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null
  const row = cell?.closest<HTMLElement>('[data-row]')
  if (!cell || !row) return null
  return { row: Number(row.dataset['row']), column: Number(cell.dataset['column']) }
}

/** What is edited: the person stays the same when the rows get another order. */
interface Editing {
  username: string
  columnId: number
  /** What stands in the field at first. */
  text: string
}

function positionIn({ people, columns }: GridParts, of: Editing): Position | null {
  const row = people.findIndex(({ user }) => user.username === of.username)
  const column = columns.findIndex(({ id }) => id === of.columnId)
  return row < 0 || column < 0 ? null : { row, column: column + 1 }
}

/** So many rows are in sight. */
function pageRowsOf(grid: HTMLElement | null): number {
  return Math.max(
    1,
    Math.floor(((grid?.parentElement?.clientHeight ?? 0) - SIZES.head) / SIZES.row) - 1,
  )
}

/** A second press within this time edits the cell. */
const DOUBLE_PRESS_MS = 250

const START: Position = { row: 0, column: 1 }

/** What is selected, and what is edited. */
function useSelection(parts: GridParts) {
  const size = { rows: parts.people.length, columns: parts.columns.length + 1 }
  const [chosen, setChosen] = useState<Selection>({ from: START, to: START })
  const [editing, setEditing] = useState<Editing | null>(null)
  const edited = editing && positionIn(parts, editing)
  // Another cell must not get a field for the mark of a person or column that has gone.
  if (editing && !edited) setEditing(null)
  const at = edited ?? within(chosen.to, size)
  const selection = { from: edited ?? within(chosen.from, size), to: at }
  return {
    size,
    at,
    selection,
    editing: edited && editing,
    setEditing,
    select: (to: Position, isExtending = false) =>
      setChosen({ from: isExtending ? selection.from : to, to }),
    person: parts.people[at.row],
    column: parts.columns[at.column - 1],
  }
}

interface Doing {
  parts: GridParts
  actions: GridActions
  selected: ReturnType<typeof useSelection>
  run: (command: Command) => void
  openMenu: (column: number) => void
  openSoon: GridActions['onOpen'] & { cancel: () => void }
}

/** What the grid does with keys, presses and the clipboard. */
function handlersOf({ parts, actions, selected, run, openMenu, openSoon }: Doing) {
  const { at, size, selection, editing, select } = selected
  const isOnGrid = (event: SyntheticEvent) => event.target === event.currentTarget
  // The browser names the pressed cell, not the grid, as the target of copying and pasting.
  const isTyping = (event: SyntheticEvent) => event.target instanceof HTMLInputElement
  return {
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (!isOnGrid(event) || event.nativeEvent.isComposing) return
      const command = commandOf(event, at, { ...size, pageRows: pageRowsOf(event.currentTarget) })
      if (command === null) return
      event.preventDefault()
      run(command)
      // The grid may be higher than what is left of the screen below the heading.
      event.currentTarget.parentElement?.scrollIntoView({ block: 'nearest' })
    },
    onClick: (event: MouseEvent<HTMLElement>) => {
      const pressed = positionOf(event.target)
      // The first press may have scrolled another cell below the pointer.
      if (event.detail > 1) return
      // A menu is part of its head for React, but not for the browser.
      if (pressed === null || editing || !event.currentTarget.contains(event.target as Node)) return
      // A press in the menu of a head would open it again.
      if ((event.target as Element).closest('a, [role="menu"]')) return
      select(pressed, event.shiftKey)
      event.currentTarget.focus({ preventScroll: true })
      const [who, what] = [parts.people[pressed.row], parts.columns[pressed.column - 1]]
      if (pressed.row < 0) openMenu(pressed.column)
      else if (who && what && !event.shiftKey) openSoon(who.user.username, what.id)
    },
    onDoubleClick: (event: MouseEvent) => {
      openSoon.cancel()
      if ((positionOf(event.target)?.row ?? -1) >= 0 && !editing) run({ kind: 'edit', text: null })
    },
    onCopy: (event: ClipboardEvent) => {
      if (isTyping(event)) return
      event.preventDefault()
      event.clipboardData.setData('text/plain', copied(parts, selection))
    },
    onPaste: (event: ClipboardEvent) => {
      if (isTyping(event) || !actions.canEdit || at.row < 0) return
      event.preventDefault()
      const text = event.clipboardData.getData('text/plain')
      // An empty cell of a spreadsheet has the end of a line. A picture has no text, and clears nothing.
      if (text !== '') actions.onChange(editsOfBlock(parseBlock(text), parts, selection))
    },
  }
}

/** What is selected in the grid, edited, and which head's menu is open. */
export function useGrid(parts: GridParts, actions: GridActions) {
  const { course } = useCourse()
  const navigate = useNavigate()
  const grid = useRef<HTMLTableElement>(null)
  const [menuOf, setMenuOf] = useState<number | null>(null)
  const selected = useSelection(parts)
  const { at, size, selection, editing, setEditing, select, person, column } = selected

  function open() {
    if (at.row < 0) setMenuOf(at.column)
    else if (person && column) actions.onOpen(person.user.username, column.id)
    else if (person) void navigate(paths.studentMarks(course, person.user.username))
  }

  function edit(text: string | null) {
    if (at.row < 0 || !column || !actions.canEdit || column.kind === 'total') {
      // A letter opens nothing.
      if (text === null) open()
    } else if (person) {
      const { username } = person.user
      const present = cellText(cellOf(person, column))
      setEditing({ username, columnId: column.id, text: text ?? present })
    }
  }

  function run(command: Command) {
    if (command.kind === 'move') select(command.to, command.isExtending)
    else if (command.kind === 'edit') edit(command.text)
    else if (command.kind === 'open') open()
    else if (command.kind === 'close') actions.onClose()
    else if (!actions.canEdit) return
    else if (command.kind === 'clear') actions.onChange(editsOfBlock([['']], parts, selection))
    else actions.onStepBack(command.kind)
  }

  /** Ends the editing. @param key the key that ended it; null when the editor lost the focus */
  function endEditing(text: string | null, key: Pick<KeyboardEvent, 'key' | 'shiftKey'> | null) {
    setEditing(null)
    if (key) grid.current?.focus({ preventScroll: true })
    if (text !== null) actions.onChange(editsOfBlock([[text]], parts, { from: at, to: at }))
    select((key && afterEdit(key, at, size)) ?? at)
  }

  function closeMenu() {
    setMenuOf(null)
    grid.current?.focus({ preventScroll: true })
  }

  // The panel moves the columns, so it waits for the second press of a double press.
  const openSoon = useDebouncedCallback(actions.onOpen, DOUBLE_PRESS_MS)
  const handlers = handlersOf({ parts, actions, selected, run, openMenu: setMenuOf, openSoon })
  return { grid, selection, at, editing, menuOf, handlers, endEditing, closeMenu }
}

export type GridState = ReturnType<typeof useGrid>

/** The selected cells as text; the column of people gives usernames. */
function copied({ people, columns }: GridParts, selection: Selection): string {
  const { top, bottom, left, right } = bounds(selection)
  return blockText(
    people.slice(top, bottom + 1).map((person) =>
      Array.from({ length: right - left + 1 }, (_, along) => {
        const column = columns[left + along - 1]
        return column ? cellText(cellOf(person, column)) : person.user.username
      }),
    ),
  )
}
