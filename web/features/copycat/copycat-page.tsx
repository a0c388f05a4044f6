import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams, useSearchParams } from 'react-router'
import type { Problem } from '#contract/problems'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { PageSkeleton } from '../../components/feedback/page-skeleton.tsx'
import { Page } from '../../components/page/page.tsx'
import { LoadedPage } from '../../layout/loaded-page.tsx'
import { NotFoundPage } from '../../layout/not-found-page.tsx'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { problemQuery } from '../../lib/queries/problems.ts'
import { paths } from '../../paths.ts'
import { copycatQuery } from './api.ts'
import { LoadedPair } from './loaded-pair.tsx'
import { ReportView } from './report-view.tsx'
import { RunPanel } from './run-panel.tsx'

/** The search and what it found. */
function ReportPage({ problem }: { problem: Problem }) {
  const { t } = useTranslation()
  const { course, problemId, problemName } = problem
  const crumbs = [
    ...useCourseCrumbs('problems'),
    { label: `#${problemId} ${problemName}`, to: paths.problem(course, problemId) },
  ]
  const state = useQuery(copycatQuery(course, problemId))
  if (state.isPending) return <PageSkeleton />
  const report = state.data?.state === 'done' ? state.data : state.data?.previous
  return (
    <Page
      title={t('copycat.name')}
      heading={t('copycat.title', { id: problemId, name: problemName })}
      crumbs={crumbs}
    >
      {state.isLoadingError ? (
        <ErrorBox of={state} />
      ) : (
        <>
          <RunPanel course={course} problemId={problemId} state={state.data} />
          {report ? <ReportView report={report} /> : null}
        </>
      )}
    </Page>
  )
}

/** `/course/{name}/problem/{id}/copycat`, for staff: the report, or with `left` and `right` in the query two programs. */
export function CopycatPage() {
  const { t } = useTranslation()
  const problemId = Number(useParams().problemId)
  const [query] = useSearchParams()
  const { course, may } = useCourse()
  const isNumber = Number.isInteger(problemId)
  const problem = useQuery({
    ...problemQuery(problemId),
    enabled: isNumber && may('copycat.use'),
  })
  if (!may('copycat.use') || !isNumber) return <NotFoundPage />
  const [left, right] = [query.get('left'), query.get('right')]
  return (
    <LoadedPage query={problem} title={t('copycat.name')} isHere={(data) => data.course === course}>
      {(data) =>
        left !== null && right !== null ? (
          <LoadedPair problem={data} left={left} right={right} />
        ) : (
          <ReportPage problem={data} />
        )
      }
    </LoadedPage>
  )
}
