import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Homework, HomeworkBoardRow } from '#contract/homeworks'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { Person } from '../../components/display/person.tsx'
import { RowsSkeleton } from '../../components/feedback/rows-skeleton.tsx'
import { TableBox } from '../../components/lists/table-box.tsx'
import { useCourse } from '../../lib/queries/course.ts'
import { useNumberText } from '../../lib/format/number-text.ts'
import { courseProblemsQuery } from '../../lib/queries/problems.ts'
import { boardQuery } from './api.ts'
import { BoardTableCell } from './board-table.tsx'
import classes from './board-table.module.css'
import { EMPTY_CELL } from './scoreboard.ts'

interface StudentRowProps {
  row: HomeworkBoardRow
  /** A text that is shown instead of the user's name. */
  name?: string
  /** What each problem is worth. */
  worth: (number | undefined)[]
}

function StudentRow({ row, name, worth }: StudentRowProps) {
  const { course } = useCourse()
  const { points } = useNumberText()
  return (
    <tr>
      <th scope="row" className={classes.student}>
        {name ?? (row.user && <Person user={row.user} />)}
      </th>
      {row.scores.map((mark, index) => (
        // Marks are identified by their problem's position.
        <BoardTableCell
          key={index}
          course={course}
          cell={{ ...EMPTY_CELL, mark, points: worth[index] ?? EMPTY_CELL.points }}
        />
      ))}
      <td className={`numeric ${classes.sum}`}>{points(row.sum)}</td>
    </tr>
  )
}

/** The scoreboard for students: the student's own row first, then the other rows, the best first. */
export function StudentBoard({ homework, title }: { homework: Homework; title: string }) {
  const { t } = useTranslation()
  const { course } = useCourse()
  const board = useQuery(boardQuery(homework.id))
  const problems = useQuery(courseProblemsQuery(course))
  if (board.isPending) return <RowsSkeleton rows={8} height={40} />
  if (!board.data) return <ErrorBox of={board} />
  const names = new Map(problems.data?.map((item) => [item.problemId, item.problemName]))
  const { problemIds, own, others } = board.data
  const worth = problemIds.map((id) => homework.points[homework.problemIds.indexOf(id)])
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {t(homework.scoreboardNames ? 'scoreboard.inTime' : 'scoreboard.inTimeUnnamed')}
      </Text>
      <TableBox className={classes.board}>
        <table aria-label={title}>
          <thead>
            <tr>
              <th scope="col">{t('scoreboard.student')}</th>
              {problemIds.map((id) => (
                <th key={id} scope="col" className="numeric">
                  {`#${id} ${names.get(id) ?? ''}`.trim()}
                </th>
              ))}
              <th scope="col" className="numeric">
                {t('scoreboard.sum')}
              </th>
            </tr>
          </thead>
          <tbody>
            {own === null ? null : (
              <StudentRow row={own} name={t('scoreboard.you')} worth={worth} />
            )}
            {others.map((row, index) =>
              row.user ? (
                <StudentRow key={row.user.username} row={row} worth={worth} />
              ) : (
                // Rows without names are identified by their position.
                <StudentRow
                  key={index}
                  row={row}
                  worth={worth}
                  name={t('scoreboard.pseudonym', { number: index + 1 })}
                />
              ),
            )}
          </tbody>
        </table>
      </TableBox>
    </>
  )
}
