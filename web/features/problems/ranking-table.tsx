import { Anchor, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { languageOf } from '#contract/languages'
import type { RankedSubmission } from '#contract/stats'
import { TableBox } from '../../components/table-box.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { useCourse } from '../../lib/course.ts'
import { useSession } from '../../lib/session.ts'
import { paths } from '../../paths.ts'

interface RankingTableProps {
  title: string
  /** What is measured. */
  column: string
  rows: RankedSubmission[]
  measure: (row: RankedSubmission) => string
}

/** One of the top tens. Everybody may open their own submission, staff all of them. */
export function RankingTable({ title, column, rows, measure }: RankingTableProps) {
  const { t } = useTranslation()
  const { course, may } = useCourse()
  const { user } = useSession()
  return (
    <section>
      <Title order={2} mb="xs">
        {title}
      </Title>
      {rows.length === 0 ? <Text c="dimmed">{t('stats.noneAccepted')}</Text> : null}
      {rows.length === 0 ? null : (
        <TableBox>
          <table aria-label={title}>
            <thead>
              <tr>
                <th scope="col">{t('stats.rank')}</th>
                <th scope="col">{t('submission.user')}</th>
                <th scope="col" className="numeric">
                  {column}
                </th>
                <th scope="col">{t('submission.language')}</th>
                <th scope="col">{t('submission.when')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                <tr key={row.submissionId}>
                  <td>{index + 1}</td>
                  <td>{row.user.displayedName || row.user.username}</td>
                  <td className="numeric">{measure(row)}</td>
                  <td>{languageOf(row.languageType).label}</td>
                  <td>
                    {may('submission.readAll') || row.user.username === user?.username ? (
                      <Anchor component={Link} to={paths.submission(course, row.submissionId)}>
                        <TimeText at={row.timestamp} />
                      </Anchor>
                    ) : (
                      <TimeText at={row.timestamp} />
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableBox>
      )}
    </section>
  )
}
