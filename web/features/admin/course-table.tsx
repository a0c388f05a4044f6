import { Anchor } from '@mantine/core'
import { IconBooks } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { CourseSummary } from '#contract/problems/stats'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { RowsSkeleton } from '../../components/feedback/rows-skeleton.tsx'
import { SortHeader, type Sort } from '../../components/lists/sort-header.tsx'
import { TableBox } from '../../components/lists/table-box.tsx'
import { useNumberText } from '../../lib/format/number-text.ts'
import { paths } from '../../paths.ts'
import { courseSummaryQuery } from './api.ts'
import classes from './dashboard-page.module.css'

type CourseRow = CourseSummary['breakdown'][number]

const COUNTS = ['userCount', 'homeworkCount', 'problemCount', 'submissionCount'] as const

function sorted(rows: CourseRow[], { by, descending }: Sort): CourseRow[] {
  const count = COUNTS.find((column) => column === by)
  const sign = descending ? -1 : 1
  return rows.toSorted((a, b) => {
    const names = a.course.localeCompare(b.course)
    return count === undefined ? sign * names : sign * (a[count] - b[count]) || names
  })
}

/** Statistics of every course, and their sums. */
export function CourseTable() {
  const { t } = useTranslation()
  const { whole } = useNumberText()
  const summary = useQuery(courseSummaryQuery)
  const [sort, setSort] = useState<Sort>({ by: 'course', descending: false })
  if (summary.isPending) return <RowsSkeleton rows={3} />
  if (summary.isLoadingError) return <ErrorBox of={summary} />
  const rows = sorted(summary.data.breakdown, sort)
  if (rows.length === 0) return <EmptyState Icon={IconBooks} text={t('dashboard.noCourses')} />
  return (
    <TableBox className="app-cards">
      <table>
        <thead>
          <tr>
            <SortHeader label={t('courses.nameField')} by="course" sort={sort} onSort={setSort} />
            {COUNTS.map((column) => (
              <SortHeader
                key={column}
                label={t(`dashboard.${column}`)}
                by={column}
                sort={sort}
                numeric
                onSort={setSort}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.course}>
              <td className={classes.name} data-wide>
                <Anchor component={Link} to={paths.course(row.course)}>
                  {row.course}
                </Anchor>
              </td>
              {COUNTS.map((column) => (
                <td key={column} className="numeric" data-label={t(`dashboard.${column}`)}>
                  {whole(row[column])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" data-wide>
              {t('dashboard.total')}
            </th>
            {COUNTS.map((column) => (
              <td key={column} className="numeric" data-label={t(`dashboard.${column}`)}>
                {whole(rows.reduce((sum, row) => sum + row[column], 0))}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </TableBox>
  )
}
