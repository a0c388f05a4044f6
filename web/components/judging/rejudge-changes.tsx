import { Anchor, Box, Group } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { RejudgedChange } from '#contract/judging/rejudges'
import { STATUS } from '#contract/verdicts'
import { useCourse } from '../../lib/queries/course.ts'
import { rejudgeChangesQuery } from '../../lib/queries/rejudges.ts'
import { paths } from '../../paths.ts'
import { ListTable, type Column } from '../lists/list-table.tsx'
import { PagedList } from '../lists/paged-list.tsx'
import { VerdictBadge } from './verdict-badge.tsx'

interface OutcomeProps {
  of: RejudgedChange['from']
  /** A text that is shown instead of the points. */
  text?: string | false
}

function Outcome({ of: { status, score }, text }: OutcomeProps) {
  const { t } = useTranslation()
  return (
    <Group component="span" display="inline-flex" gap="0 8px">
      <VerdictBadge status={status} />
      {text || t('common.points', { count: score })}
    </Group>
  )
}

/** The submissions that would get another result, with the old and the new one. */
export function RejudgeChanges({ operationId }: { operationId: string }) {
  const { t } = useTranslation()
  const { course } = useCourse()
  const list = useInfiniteQuery(rejudgeChangesQuery(operationId))
  const rows = list.data?.pages.flatMap((page) => page.items) ?? []
  const isOfMany = new Set(rows.map(({ problemId }) => problemId)).size > 1
  const columns: Column<RejudgedChange>[] = [
    {
      head: t('submission.user'),
      renderCell: ({ submissionId, problemId, user }) => (
        <Anchor component={Link} to={paths.submission(course, submissionId)}>
          {user.displayedName || user.username}
          {isOfMany ? ` · #${problemId}` : ''}
        </Anchor>
      ),
    },
    { head: t('rejudge.from'), isLabelled: true, renderCell: ({ from }) => <Outcome of={from} /> },
    {
      head: t('rejudge.to'),
      isLabelled: true,
      renderCell: ({ from, to }) => (
        <Outcome
          of={to}
          text={to.status === STATUS.JE && from.status !== STATUS.JE && t('rejudge.keeps')}
        />
      ),
    },
  ]
  return (
    <Box w="100%" miw={0}>
      <PagedList list={list} count={rows.length} skeleton={{ rows: 3 }} empty={null}>
        <ListTable
          className="app-cards"
          label={t('rejudge.show')}
          columns={columns}
          rows={rows}
          keyOf={({ submissionId }) => submissionId}
        />
      </PagedList>
    </Box>
  )
}
