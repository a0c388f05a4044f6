import { Button } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { useLabelChoice } from '../../components/labels/use-label-choice.ts'
import { Page } from '../../components/page/page.tsx'
import { PagedList } from '../../components/lists/paged-list.tsx'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { formatTime } from '../../lib/format/format.ts'
import { paths } from '../../paths.ts'
import { submissionsQuery } from './api.ts'
import { FilterBar } from './filter-bar.tsx'
import { isFiltered, readFilter } from './filter.ts'
import { SubmissionTable } from './submission-table.tsx'

/** `/course/{name}/submissions`: newest first; the filters are in the address. */
export function SubmissionsPage() {
  const { t } = useTranslation()
  const { course, may } = useCourse()
  const crumbs = useCourseCrumbs()
  const [query] = useSearchParams()
  const filter = readFilter(query, useLabelChoice().choice)
  const list = useInfiniteQuery(submissionsQuery(course, filter))
  const items = list.data?.pages.flatMap((page) => page.submissions) ?? []
  const searchedTo = list.data?.pages.at(-1)?.searchedTo
  return (
    <Page title={t('nav.submissions')} crumbs={crumbs}>
      <FilterBar />
      <PagedList
        list={list}
        count={items.length}
        note={
          searchedTo === undefined
            ? undefined
            : t(items.length === 0 ? 'submissions.noneSince' : 'submissions.searchedTo', {
                time: formatTime(searchedTo),
              })
        }
        skeleton={{ rows: 8 }}
        empty={
          <EmptyState
            Icon={IconSend}
            text={isFiltered(filter) ? t('submissions.noneFound') : t('submissions.none')}
            action={
              may('submission.readAll') || isFiltered(filter) ? null : (
                <Button component={Link} to={paths.problems(course)} variant="default">
                  {t('nav.problems')}
                </Button>
              )
            }
          />
        }
      >
        <SubmissionTable items={items} course={course} isStaff={may('submission.readAll')} />
      </PagedList>
    </Page>
  )
}
