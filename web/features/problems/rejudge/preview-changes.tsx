import { Anchor, Box, Group } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { PreviewedChange } from '#contract/judging/rejudge-previews'
import { STATUS } from '#contract/verdicts'
import { ListTable, type Column } from '../../../components/lists/list-table.tsx'
import { PagedList } from '../../../components/lists/paged-list.tsx'
import { VerdictBadge } from '../../../components/judging/verdict-badge.tsx'
import { useCourse } from '../../../lib/queries/course.ts'
import { paths } from '../../../paths.ts'
import { previewChangesQuery } from '../api.ts'

interface OutcomeProps {
  of: PreviewedChange['from']
  /** Instead of the points. */
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

/** Who would get another result, from what to what. */
export function PreviewChanges({ problemId }: { problemId: number }) {
  const { t } = useTranslation()
  const { course } = useCourse()
  const list = useInfiniteQuery(previewChangesQuery(problemId))
  const rows = list.data?.pages.flatMap((page) => page.items) ?? []
  const columns: Column<PreviewedChange>[] = [
    {
      head: t('submission.user'),
      renderCell: ({ submissionId, user }) => (
        <Anchor component={Link} to={paths.submission(course, submissionId)}>
          {user.displayedName || user.username}
        </Anchor>
      ),
    },
    { head: t('preview.from'), isLabelled: true, renderCell: ({ from }) => <Outcome of={from} /> },
    {
      head: t('preview.to'),
      isLabelled: true,
      renderCell: ({ to }) => (
        <Outcome of={to} text={to.status === STATUS.JE && t('preview.keeps')} />
      ),
    },
  ]
  return (
    <Box w="100%" miw={0}>
      <PagedList list={list} count={rows.length} skeleton={{ rows: 3 }} empty={null}>
        <ListTable
          className="app-cards"
          label={t('preview.show')}
          columns={columns}
          rows={rows}
          keyOf={({ submissionId }) => submissionId}
        />
      </PagedList>
    </Box>
  )
}
