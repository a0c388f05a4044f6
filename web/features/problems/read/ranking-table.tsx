import { Anchor, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { languageOf } from '#contract/languages'
import type { RankedSubmission } from '#contract/problems/stats'
import { ListTable, type Column } from '../../../components/lists/list-table.tsx'
import { Person } from '../../../components/display/person.tsx'
import { TimeText } from '../../../components/display/time-text.tsx'
import { useCourse } from '../../../lib/queries/course.ts'
import { useSession } from '../../../lib/session/session.ts'
import { paths } from '../../../paths.ts'

interface RankingTableProps {
  title: string
  /** What is measured. */
  column: string
  rows: RankedSubmission[]
  measure: (row: RankedSubmission) => string
}

/** A top ten. Students may open their own submission, staff all of them. */
export function RankingTable({ title, column, rows, measure }: RankingTableProps) {
  const { t } = useTranslation()
  const { course, may } = useCourse()
  const { user } = useSession()
  const columns: Column<RankedSubmission>[] = [
    { head: t('stats.rank'), renderCell: (_, index) => index + 1 },
    {
      head: t('submission.user'),
      renderCell: ({ user: person }) => (
        <Person user={person} linkedIn={may('submission.readAll') ? course : undefined} />
      ),
    },
    { head: column, isNumeric: true, renderCell: measure },
    { head: t('submission.language'), renderCell: (row) => languageOf(row.languageType).label },
    {
      head: t('submission.when'),
      renderCell: (row) =>
        may('submission.readAll') || row.user.username === user?.username ? (
          <Anchor component={Link} to={paths.submission(course, row.submissionId)}>
            <TimeText at={row.timestamp} />
          </Anchor>
        ) : (
          <TimeText at={row.timestamp} />
        ),
    },
  ]
  return (
    <section>
      <Title order={2} mb="xs">
        {title}
      </Title>
      {rows.length === 0 ? <Text c="dimmed">{t('stats.noneAccepted')}</Text> : null}
      {rows.length === 0 ? null : (
        <ListTable
          label={title}
          columns={columns}
          rows={rows}
          keyOf={({ submissionId }) => submissionId}
        />
      )}
    </section>
  )
}
