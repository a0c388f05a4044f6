import type { ReactNode } from 'react'
import { SortHeader, type Sort } from './sort-header.tsx'
import { TableBox } from './table-box.tsx'

export interface Column<Row> {
  head: string
  renderCell: (row: Row, index: number) => ReactNode
  /** The column's header sorts the table by this key. */
  sortBy?: string
  /** Aligns the cells to the right, as numbers are. */
  isNumeric?: boolean
  /** Where rows are cards, the column's header stands before the cell. */
  isLabelled?: boolean
  /** Where rows are cards, the cell has a line of its own. */
  isWide?: boolean
  /** Class of the column's cells. */
  className?: string | undefined
}

interface ListTableProps<Row> {
  columns: Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row, index: number) => string | number
  /** Class of the card around the table; `app-cards` makes each row a card on narrow screens. */
  className?: string | undefined
  /** Names the table. */
  label?: string
  sort?: Sort
  onSort?: (sort: Sort) => void
}

function classOf({ isNumeric, className }: Column<never>): string | undefined {
  return [isNumeric && 'numeric', className].filter(Boolean).join(' ') || undefined
}

/** A table of rows of one kind. `columns` describes its columns. */
export function ListTable<Row>(props: ListTableProps<Row>) {
  const { columns, rows, keyOf, className, label, sort, onSort } = props
  return (
    <TableBox {...(className && { className })}>
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ head, sortBy, isNumeric = false }) =>
              sort && onSort && sortBy !== undefined ? (
                <SortHeader
                  key={head}
                  label={head}
                  by={sortBy}
                  numeric={isNumeric}
                  {...{ sort, onSort }}
                />
              ) : (
                <th key={head} scope="col" className={isNumeric ? 'numeric' : undefined}>
                  {head}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf(row, index)}>
              {columns.map((column) => (
                <td
                  key={column.head}
                  className={classOf(column)}
                  data-label={column.isLabelled ? column.head : undefined}
                  data-wide={column.isWide || undefined}
                >
                  {column.renderCell(row, index)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  )
}
