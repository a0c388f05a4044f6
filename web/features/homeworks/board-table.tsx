import { VisuallyHidden } from '@mantine/core'
import {
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleHalf2,
  IconCircleX,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
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

/** Score and tries, with a link to the submission that has the score. */
export function BoardTableCell({ cell, course }: CellProps) {
  const { t } = useTranslation()
  const state = stateOf(cell)
  const Icon = ICONS[state]
  const linked = (id: string | null, text: ReactNode) =>
    id === null ? text : <Link to={paths.submission(course, id)}>{text}</Link>
  return (
    <td className={classes.cell} data-state={state} title={t(`scoreboard.${state}`)}>
      <span className={classes.score}>
        <Icon size={15} aria-hidden="true" />
        {cell.score === null ? (
          <VisuallyHidden>{t('scoreboard.none')}</VisuallyHidden>
        ) : (
          linked(cell.bestId, cell.score)
        )}
      </span>
      {cell.tries > 0 ? <small>{t('scoreboard.tries', { count: cell.tries })}</small> : null}
      {cell.late === null ? null : (
        <small className={classes.late}>
          {linked(cell.lateId, t('scoreboard.late', { score: cell.late }))}
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
}

/** One row per student, one column per problem. */
export function BoardTable({ title, course, rows, problems, sort, onSort }: BoardTableProps) {
  const { t } = useTranslation()
  const { decimal } = useNumberText()
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
          </tr>
        </thead>
        <tbody>
          {rows.map(({ user, cells, sum, average }) => (
            <tr key={user.username}>
              <th scope="row" className={classes.student}>
                <Person user={user} linkedIn={course} />
              </th>
              {problems.map(({ problemId }, index) => (
                <BoardTableCell key={problemId} cell={cells[index] ?? EMPTY_CELL} course={course} />
              ))}
              <td className={`numeric ${classes.sum}`}>{sum}</td>
              <td className="numeric">{decimal(average)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  )
}
