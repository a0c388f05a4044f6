import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { CellEditor } from './cell-editor.tsx'
import { cellText } from './cell-text.ts'
import { cellOf, type GridColumn, type GridPerson } from './edits.ts'
import classes from './grid.module.css'
import type { GridState } from './use-grid.ts'
import { cellKey } from './use-edits.ts'

/** The letters of a cell's states that are shown beside it, and their texts. */
export const STATES = ['s', 'h', 'q', 'k'] as const

/** The element id of a cell. */
export function cellId(row: number, column: number): string {
  return `mark-${row}-${column}`
}

/** The columns that are drawn: positions among those that scroll, from `first` up to and without `end`. */
export interface DrawnColumns {
  first: number
  end: number
  /** Pixels before and after them. */
  before: number
  after: number
}

/** What is edited in a row. */
interface RowEditing {
  text: string
  onEnd: GridState['endEditing']
}

interface CellProps {
  person: GridPerson
  column: GridColumn
  position: { row: number; column: number }
  isActive: boolean
  isSelected: boolean
  refusal: string | undefined
  editing: RowEditing | null
}

function Cell(props: CellProps) {
  const { person, column, position, isActive, isSelected, refusal, editing } = props
  const { t } = useTranslation()
  const cell = cellOf(person, column)
  const [points, letters] = cell
  const states = STATES.filter((letter) => letters.includes(letter))
  const isAbove = points !== null && points > column.max && column.kind !== 'total'
  const notes = [
    ...(letters.includes('e') ? [t('gradebook.grid.state.e')] : []),
    ...states.map((letter) => t(`gradebook.grid.state.${letter}`)),
    ...(isAbove ? [t('gradebook.grid.above', { max: column.max })] : []),
    ...(refusal === undefined ? [] : [refusal]),
  ].join(' · ')
  return (
    <td
      id={cellId(position.row, position.column)}
      className={column.kind === 'total' ? `${classes.cell} ${classes.total}` : classes.cell}
      data-column={position.column}
      aria-colindex={position.column + 1}
      aria-selected={isSelected}
      data-active={isActive || undefined}
      data-above={isAbove || undefined}
      aria-invalid={refusal === undefined ? undefined : true}
      title={notes === '' ? undefined : notes}
    >
      {isActive && editing ? (
        <CellEditor
          label={`${column.name}, ${person.user.displayedName || person.user.username}`}
          text={editing.text}
          onEnd={editing.onEnd}
        />
      ) : (
        <>
          {states.map((letter) => (
            <i key={letter} className={classes.state} data-state={letter} aria-hidden="true" />
          ))}
          <span>{cellText(cell)}</span>
          {notes === '' ? null : <span className={classes.spoken}>{notes}</span>}
        </>
      )}
    </td>
  )
}

export interface GridRowProps {
  person: GridPerson
  columns: readonly GridColumn[]
  course: string
  row: number
  /** Pixels from the top of the rows. */
  top: number
  drawn: DrawnColumns
  /** The active column in this row; −1 for none. */
  active: number
  /** The selected columns in this row, both inclusive; −1 for none. */
  selectedFrom: number
  selectedTo: number
  refusals: ReadonlyMap<string, string>
  /** Only in the row that is edited. */
  editing: RowEditing | null
}

function Row(props: GridRowProps) {
  const { person, columns, course, row, top, drawn, active, refusals, editing } = props
  const { user } = person
  const isSelected = (column: number) => props.selectedFrom <= column && column <= props.selectedTo
  const cellAt = (index: number) => {
    const column = columns[index]
    if (column === undefined) return null
    const position = { row, column: index + 1 }
    return (
      <Cell
        key={column.id}
        {...{ person, column, position, editing }}
        isActive={active === index + 1}
        isSelected={isSelected(index + 1)}
        refusal={refusals.get(cellKey({ username: user.username, columnId: column.id }))}
      />
    )
  }
  return (
    <tr
      className={classes.row}
      data-row={row}
      aria-rowindex={row + 2}
      style={{ transform: `translateY(${top}px)` }}
    >
      <th
        scope="row"
        id={cellId(row, 0)}
        className={classes.person}
        data-column={0}
        aria-colindex={1}
        data-active={active === 0 || undefined}
        data-selected={isSelected(0) || undefined}
      >
        <Link to={paths.studentMarks(course, user.username)} tabIndex={-1}>
          {user.displayedName || user.username}
        </Link>
        {user.displayedName === '' ? null : <small>{user.username}</small>}
      </th>
      <td aria-hidden="true" className={classes.gap} style={{ width: drawn.before }} />
      {Array.from({ length: drawn.end - drawn.first }, (_, index) => cellAt(drawn.first + index))}
      <td aria-hidden="true" className={classes.gap} style={{ width: drawn.after }} />
      {columns.at(-1)?.kind === 'total' ? cellAt(columns.length - 1) : null}
    </tr>
  )
}

/** A person's row. It is drawn again only when something in it changes. */
export const GridRow = memo(Row)
