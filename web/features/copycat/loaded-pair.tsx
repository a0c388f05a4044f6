import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Problem } from '#contract/problems'
import { Page } from '../../components/page/page.tsx'
import { LoadedPage } from '../../layout/loaded-page.tsx'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { paths } from '../../paths.ts'
import { pairQuery } from './api.ts'
import { PairView } from './pair-view.tsx'

interface LoadedPairProps {
  problem: Problem
  /** Ids of submissions. */
  left: string
  right: string
}

/** Two programs side by side. */
export function LoadedPair({ problem, left, right }: LoadedPairProps) {
  const { t } = useTranslation()
  const { course, problemId, problemName } = problem
  const crumbs = [
    ...useCourseCrumbs('problems'),
    { label: `#${problemId} ${problemName}`, to: paths.problem(course, problemId) },
    { label: t('copycat.name'), to: paths.copycat(course, problemId) },
  ]
  const pair = useQuery(pairQuery(problemId, left, right))
  return (
    <LoadedPage query={pair} title={t('copycat.name')} crumbs={crumbs}>
      {(data) => (
        <Page
          title={t('copycat.pairTitle', {
            left: data.left.user.username,
            right: data.right.user.username,
          })}
          crumbs={crumbs}
        >
          <PairView pair={data} course={course} />
        </Page>
      )}
    </LoadedPage>
  )
}
