import { Anchor } from '@mantine/core'
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
import classes from './rejudge-preview.module.css'

function Outcome({ status, score }: PreviewedChange['from']) {
  const { t } = useTranslation()
  return (
    <span className={classes.outcome}>
      <VerdictBadge status={status} />
      {t('common.points', { count: score })}
    </span>
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
    { head: t('preview.from'), isLabelled: true, renderCell: ({ from }) => <Outcome {...from} /> },
    {
      head: t('preview.to'),
      isLabelled: true,
      renderCell: ({ to }) =>
        to.status === STATUS.JE ? (
          <span className={classes.outcome}>
            <VerdictBadge status={to.status} />
            {t('preview.keeps')}
          </span>
        ) : (
          <Outcome {...to} />
        ),
    },
  ]
  return (
    <div className={classes.changes}>
      <PagedList list={list} count={rows.length} skeleton={{ rows: 3 }} empty={null}>
        <ListTable
          className="app-cards"
          label={t('preview.show')}
          columns={columns}
          rows={rows}
          keyOf={({ submissionId }) => submissionId}
        />
      </PagedList>
    </div>
  )
}
