import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Problem } from '#contract/problems'
import { ErrorBox } from '../../components/error-box.tsx'
import { PageSkeleton } from '../../components/page-skeleton.tsx'
import { Page } from '../../components/page.tsx'
import { NotFoundPage } from '../../layout/not-found-page.tsx'
import { isNotFound } from '../../lib/api-error.ts'
import { useCourseCrumbs } from '../../lib/course-crumbs.ts'
import { paths } from '../../paths.ts'
import { pairQuery } from './api.ts'
import { PairView } from './pair-view.tsx'

interface PairPageProps {
  problem: Problem
  /** Ids of submissions. */
  left: string
  right: string
}

/** Two programs side by side. */
export function PairPage({ problem, left, right }: PairPageProps) {
  const { t } = useTranslation()
  const { course, problemId, problemName } = problem
  const crumbs = [
    ...useCourseCrumbs('problems'),
    { label: `#${problemId} ${problemName}`, to: paths.problem(course, problemId) },
    { label: t('copycat.name'), to: paths.copycat(course, problemId) },
  ]
  const pair = useQuery(pairQuery(problemId, left, right))
  if (isNotFound(pair.error)) return <NotFoundPage />
  if (pair.isPending) return <PageSkeleton />
  if (pair.isError)
    return (
      <Page title={t('copycat.name')} crumbs={crumbs}>
        <ErrorBox error={pair.error} onRetry={() => void pair.refetch()} />
      </Page>
    )
  const names = {
    left: pair.data.left.user.username,
    right: pair.data.right.user.username,
  }
  return (
    <Page title={t('copycat.pairTitle', names)} crumbs={crumbs}>
      <PairView pair={pair.data} course={course} />
    </Page>
  )
}
