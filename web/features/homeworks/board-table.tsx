import { ActionIcon, VisuallyHidden } from '@mantine/core'
import {
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleHalf2,
  IconCircleX,
  IconClockPlus,
  IconPencilPlus,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { UserInfo } from '#contract/fields'
import { Person } from '../../components/display/person.tsx'
import { SortHeader, type Sort } from '../../components/lists/sort-header.tsx'
import { TableBox } from '../../components/lists/table-box.tsx'
import { useNumberText } from '../../lib/format/number-text.ts'
import { paths } from '../../paths.ts'
import classes from './board-table.module.css'
import { EMPTY_CELL, SORT_KEYS, stateOf, type BoardCell, type BoardRow } from './scoreboard.ts'

const ICONS = {
  full: IconCircleCheckFilled,
  partial: IconCircleHalf2,
  zero: IconCircleX,
  none: IconCircleDashed,
} as const

interface CellProps {
  cell: BoardCell
  course: string
}

/** The mark, tries and late score, with links to the submissions that have them. */
export function BoardTableCell({ cell, course }: CellProps) {
  const { t } = useTranslation()
  const { points } = useNumberText()
  const state = stateOf(cell)
  const Icon = ICONS[state]
  const linked = (id: string | null, text: ReactNode) =>
    id === null ? text : <Link to={paths.submission(course, id)}>{text}</Link>
  return (
    <td className={classes.cell} data-state={state} title={t(`scoreboard.${state}`)}>
      <span className={classes.score}>
        <Icon size={15} aria-hidden="true" />
        {cell.mark === null ? (
          <VisuallyHidden>{t('scoreboard.none')}</VisuallyHidden>
        ) : (
          linked(cell.countedId, points(cell.mark))
        )}
      </span>
      {cell.tries > 0 ? <small>{t('scoreboard.tries', { count: cell.tries })}</small> : null}
      {cell.late === null ? null : (
        <small className={classes.late}>
          {linked(cell.lateId, t('scoreboard.late', { score: cell.late }))}
        </small>
      )}
      {cell.by === null || cell.by === 'inTime' ? null : (
        <small className={classes.late} title={cell.given?.comment}>
          {t(`scoreboard.by.${cell.by}`)}
        </small>
      )}
    </td>
  )
}

interface BoardTableProps {
  title: string
  course: string
  rows: BoardRow[]
  problems: { problemId: number; name: string }[]
  sort: Sort
  onSort: (sort: Sort) => void
  /** Opens a dialog for a student; null where the viewer may give nothing. */
  onGive: ((what: Give, student: UserInfo) => void) | null
}

/** What staff give a student of a row. */
export type Give = 'time' | 'points'

/** The buttons at the end of a student's row. */
function RowActions({ user, onGive }: { user: UserInfo; onGive: (what: Give) => void }) {
  const { t } = useTranslation()
  const name = user.displayedName || user.username
  return (
    <td className={`app-screen-only ${classes.actions}`}>
      <ActionIcon
        aria-label={t('dates.moreTimeFor', { name })}
        title={t('dates.moreTime')}
        onClick={() => onGive('time')}
      >
        <IconClockPlus size={17} />
      </ActionIcon>
      <ActionIcon
        aria-label={t('points.giveTo', { name })}
        title={t('points.give')}
        onClick={() => onGive('points')}
      >
        <IconPencilPlus size={17} />
      </ActionIcon>
    </td>
  )
}

interface StudentRowProps extends Pick<BoardTableProps, 'course' | 'problems' | 'onGive'> {
  row: BoardRow
}

function StudentRow({ row, course, problems, onGive }: StudentRowProps) {
  const { t } = useTranslation()
  const { decimal, points } = useNumberText()
  const { user, cells, sum, average, isExcused, given } = row
  return (
    <tr>
      <th scope="row" className={classes.student}>
        <Person user={user} linkedIn={course} />
      </th>
      {problems.map(({ problemId }, index) => (
        <BoardTableCell key={problemId} cell={cells[index] ?? EMPTY_CELL} course={course} />
      ))}
      <td className={`numeric ${classes.sum}`}>
        {isExcused ? t('scoreboard.excused') : sum === null ? null : points(sum)}
        {given === null ? null : (
          <small className={classes.late} title={given.comment}>
            {t('scoreboard.added', { points: points(given.points) })}
          </small>
        )}
      </td>
      <td className="numeric">{average === null ? null : decimal(average)}</td>
      {onGive ? <RowActions user={user} onGive={(what) => onGive(what, user)} /> : null}
    </tr>
  )
}

/** One row per student, one column per problem. */
export function BoardTable(props: BoardTableProps) {
  const { title, course, rows, problems, sort, onSort, onGive } = props
  const { t } = useTranslation()
  return (
    <TableBox className={`app-long ${classes.board}`}>
      <table aria-label={title}>
        <thead>
          <tr>
            <SortHeader label={t('scoreboard.student')} by={SORT_KEYS.user} {...{ sort, onSort }} />
            {problems.map(({ problemId, name }, index) => (
              <SortHeader
                key={problemId}
                label={name}
                by={String(index)}
                numeric
                {...{ sort, onSort }}
              />
            ))}
            <SortHeader
              label={t('scoreboard.sum')}
              by={SORT_KEYS.sum}
              numeric
              {...{ sort, onSort }}
            />
            <SortHeader
              label={t('scoreboard.average')}
              by={SORT_KEYS.average}
              numeric
              {...{ sort, onSort }}
            />
            {onGive ? (
              <th scope="col" className={`app-screen-only ${classes.actions}`}>
                {t('common.actions')}
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <StudentRow key={row.user.username} {...{ row, course, problems, onGive }} />
          ))}
        </tbody>
      </table>
    </TableBox>
  )
}
