import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual'
import { useCallback, useEffect, useMemo, useRef, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { Sort } from '../../components/lists/sort-header.tsx'
import { useCourse } from '../../lib/queries/course.ts'
import type { GridColumn, GridPerson } from './edits.ts'
import { GridHead, type HeadActions } from './grid-head.tsx'
import { bounds, type Position } from './grid-moves.ts'
import { cellId, GridRow, type DrawnColumns } from './grid-row.tsx'
import classes from './grid.module.css'
import { GRID_ID, SIZES, useGrid, type GridActions } from './use-grid.ts'

/** More than a fast scroll passes before the next rows are drawn. */
const OVERSCAN = { rows: 30, columns: 6 } as const

/** The size of the grid until the browser has measured it. */
const FIRST_RECT = { width: 1_200, height: 700 }

interface GridProps extends GridActions, HeadActions {
  people: readonly GridPerson[]
  /** The total last, if it is shown. */
  columns: readonly GridColumn[]
  sort: Sort
  refusals: ReadonlyMap<string, string>
}

/** The drawn rows or columns with one that stays drawn, however far it is out of sight. */
function useRangeWith(kept: number | undefined) {
  return useCallback(
    (range: Range) => {
      const drawn = defaultRangeExtractor(range)
      if (kept === undefined || drawn.includes(kept)) return drawn
      return [...drawn, kept].toSorted((left, right) => left - right)
    },
    [kept],
  )
}

/** Which rows and columns are drawn. @param edited the field of this cell would lose its text if it went */
function useDrawn(
  scroller: RefObject<HTMLDivElement | null>,
  rows: number,
  scrollingColumns: number,
  hasTotal: boolean,
  edited: Position | null,
) {
  const getScrollElement = () => scroller.current
  // oxlint-disable-next-line react/incompatible-library -- nothing keeps what these functions return
  const rowsDrawn = useVirtualizer({
    count: rows,
    getScrollElement,
    estimateSize: () => SIZES.row,
    overscan: OVERSCAN.rows,
    rangeExtractor: useRangeWith(edited?.row),
    scrollPaddingEnd: SIZES.head,
    initialRect: FIRST_RECT,
  })
  const columnsDrawn = useVirtualizer({
    horizontal: true,
    count: scrollingColumns,
    getScrollElement,
    estimateSize: () => SIZES.column,
    overscan: OVERSCAN.columns,
    rangeExtractor: useRangeWith(edited ? edited.column - 1 : undefined),
    scrollPaddingEnd: SIZES.person + (hasTotal ? SIZES.column : 0),
    initialRect: FIRST_RECT,
  })
  const items = columnsDrawn.getVirtualItems()
  const [first, last] = [items[0], items.at(-1)]
  const [start, end] = [first?.index ?? 0, (last?.index ?? -1) + 1]
  const drawn = useMemo<DrawnColumns>(
    () => ({
      first: start,
      end,
      before: start * SIZES.column,
      after: (scrollingColumns - end) * SIZES.column,
    }),
    [start, end, scrollingColumns],
  )
  return { rowsDrawn, columnsDrawn, drawn }
}

/** Keeps the active cell in sight. */
function useActiveInSight(
  { row, column }: { row: number; column: number },
  { rowsDrawn, columnsDrawn }: ReturnType<typeof useDrawn>,
) {
  useEffect(() => {
    if (row >= 0) rowsDrawn.scrollToIndex(row)
  }, [row, rowsDrawn])
  // The panel beside the grid takes a part of its width.
  const width = columnsDrawn.scrollRect?.width
  useEffect(() => {
    if (width === undefined || column === 0 || column > columnsDrawn.options.count) return
    columnsDrawn.scrollToIndex(column - 1)
  }, [column, columnsDrawn, width])
}

/** People and their marks. The grid is one stop of the tab key; the keys are those of a spreadsheet. */
export function Grid({ people, columns, sort, refusals, ...actions }: GridProps) {
  const { t } = useTranslation()
  const { course } = useCourse()
  const hasTotal = columns.at(-1)?.kind === 'total'
  const scrolling = columns.length - (hasTotal ? 1 : 0)
  const state = useGrid({ people, columns }, actions)
  const { grid, at, selection, editing, handlers } = state
  const scroller = useRef<HTMLDivElement>(null)
  const all = useDrawn(scroller, people.length, scrolling, hasTotal, editing && at)
  const { rowsDrawn, drawn } = all
  useActiveInSight(at, all)
  const { top, bottom, left, right } = bounds(selection)
  const width = SIZES.person + columns.length * SIZES.column
  return (
    <div ref={scroller} className={classes.scroller}>
      <table
        ref={grid}
        id={GRID_ID}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- cells are chosen and edited
        role="grid"
        tabIndex={0}
        className={classes.grid}
        aria-label={t('gradebook.grid.name')}
        aria-rowcount={people.length + 1}
        aria-colcount={columns.length + 1}
        aria-multiselectable="true"
        aria-activedescendant={cellId(at.row, at.column)}
        {...handlers}
      >
        <GridHead {...{ columns, sort, drawn, state, width }} {...actions} />
        <tbody className={classes.rows} style={{ height: rowsDrawn.getTotalSize(), width }}>
          {rowsDrawn.getVirtualItems().map(({ index, start }) => {
            const person = people[index]
            if (person === undefined) return null
            const isSelected = top <= index && index <= bottom
            return (
              <GridRow
                key={person.user.username}
                {...{ person, columns, course, drawn, refusals }}
                row={index}
                top={start}
                active={at.row === index ? at.column : -1}
                selectedFrom={isSelected ? left : -1}
                selectedTo={isSelected ? right : -1}
                editing={
                  editing && at.row === index
                    ? { text: editing.text, onEnd: state.endEditing }
                    : null
                }
              />
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
