import { Menu } from '@mantine/core'
import { IconClock, IconEye, IconEyeOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Shown } from '#contract/gradebook'
import type { Sort } from '../../components/lists/sort-header.tsx'
import { useCourse } from '../../lib/queries/course.ts'
import { paths } from '../../paths.ts'
import type { GridColumn } from './edits.ts'
import { cellId, type DrawnColumns } from './grid-row.tsx'
import classes from './grid.module.css'
import type { GridState } from './use-grid.ts'

export interface HeadActions {
  onSort: (sort: Sort) => void
  /** Asks when students see the marks of a column. */
  onShow: (column: GridColumn) => void
}

const SHOWN_ICONS: Record<Shown, typeof IconEye> = {
  no: IconEyeOff,
  atClosing: IconClock,
  yes: IconEye,
}

interface GridHeadProps extends HeadActions {
  columns: readonly GridColumn[]
  sort: Sort
  drawn: DrawnColumns
  state: GridState
  /** Pixels. */
  width: number
}

interface HeadMenuProps extends Omit<GridHeadProps, 'drawn' | 'columns' | 'width'> {
  /** null: that of the people. */
  column: GridColumn | null
}

/** What can be done to a homework, or to the marks of any column. */
function ColumnItems({ column, onShow }: Pick<HeadMenuProps, 'onShow'> & { column: GridColumn }) {
  const { t } = useTranslation()
  const { course, may } = useCourse()
  const isTotal = column.kind === 'total'
  return (
    <>
      {column.homeworkId === null ? null : (
        <>
          <Menu.Item component={Link} to={paths.editHomework(course, column.homeworkId)}>
            {t('gradebook.grid.openHomework')}
          </Menu.Item>
          <Menu.Item component={Link} to={paths.homeworkStats(course, column.homeworkId)}>
            {t('common.stats')}
          </Menu.Item>
        </>
      )}
      {may(isTotal ? 'gradebook.manage' : 'gradebook.write') ? (
        <Menu.Item onClick={() => onShow(column)}>{t('gradebook.grid.show.open')}</Menu.Item>
      ) : null}
    </>
  )
}

/** The menu of a head. */
function HeadMenu(props: HeadMenuProps) {
  const { column, state, onSort } = props
  const { t } = useTranslation()
  const by = column === null ? 'name' : String(column.id)
  const kind = column === null ? 'name' : 'mark'
  return (
    <Menu
      opened
      onChange={state.closeMenu}
      // Without `keydown`: the key that opens the menu is still on its way up, and would close it.
      clickOutsideEvents={['mousedown', 'touchstart']}
      returnFocus={false}
      withInitialFocusPlaceholder={false}
      position="bottom-start"
    >
      <Menu.Target>
        <span
          className={classes.anchor}
          aria-hidden="true"
          aria-label={column?.name ?? t('gradebook.grid.student')}
        />
      </Menu.Target>
      <Menu.Dropdown>
        {[column !== null, column === null].map((descending) => (
          <Menu.Item key={String(descending)} onClick={() => onSort({ by, descending })}>
            {t(`gradebook.grid.sort.${kind}.${descending ? 'down' : 'up'}`)}
          </Menu.Item>
        ))}
        {column === null ? null : <ColumnItems column={column} onShow={props.onShow} />}
      </Menu.Dropdown>
    </Menu>
  )
}

function HeadCell({ index, ...props }: HeadMenuProps & { index: number }) {
  const { column, sort, state } = props
  const { t } = useTranslation()
  const isSorted = sort.by === (column === null ? 'name' : String(column.id))
  const Icon = column === null ? null : SHOWN_ICONS[column.shown]
  const kind = column === null ? classes.person : column.kind === 'total' ? classes.total : ''
  return (
    <th
      scope="col"
      id={cellId(-1, index)}
      className={`${classes.headCell} ${kind}`}
      data-column={index}
      data-active={(state.at.row < 0 && state.at.column === index) || undefined}
      aria-colindex={index + 1}
      aria-haspopup="menu"
      aria-sort={isSorted ? (sort.descending ? 'descending' : 'ascending') : 'none'}
      title={column?.name}
    >
      <span className={classes.headName}>
        {column === null ? t('gradebook.grid.student') : column.name}
        {isSorted ? (sort.descending ? ' ↓' : ' ↑') : ''}
      </span>
      {column === null || Icon === null ? null : (
        <small className={classes.headFacts}>
          {t('gradebook.grid.outOf', { max: column.max })}
          <Icon size={13} aria-hidden="true" />
          <span className={classes.spoken}>{t(`gradebook.grid.shown.${column.shown}`)}</span>
        </small>
      )}
      {state.menuOf === index ? <HeadMenu {...props} /> : null}
    </th>
  )
}

/** The row of heads: the people, the drawn columns, the total. */
export function GridHead({ drawn, columns, width, ...props }: GridHeadProps) {
  const headAt = (index: number) => {
    const column = columns[index]
    return column ? <HeadCell key={column.id} {...props} column={column} index={index + 1} /> : null
  }
  return (
    <thead className={classes.head} style={{ width }}>
      <tr className={classes.headRow} data-row={-1} aria-rowindex={1}>
        <HeadCell {...props} column={null} index={0} />
        <td aria-hidden="true" className={classes.gap} style={{ width: drawn.before }} />
        {Array.from({ length: drawn.end - drawn.first }, (_, index) => headAt(drawn.first + index))}
        <td aria-hidden="true" className={classes.gap} style={{ width: drawn.after }} />
        {columns.at(-1)?.kind === 'total' ? headAt(columns.length - 1) : null}
      </tr>
    </thead>
  )
}
