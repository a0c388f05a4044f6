import { IconChartBar } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useLocation, useParams } from 'react-router'
import { LinkButton } from '../../components/page/link-button.tsx'
import { Page } from '../../components/page/page.tsx'
import { LoadedPage } from '../../layout/loaded-page.tsx'
import { NotFoundPage } from '../../layout/not-found-page.tsx'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { problemQuery } from '../../lib/queries/problems.ts'
import { paths } from '../../paths.ts'
import { GroupList } from './group-list.tsx'

/** `/course/{name}/problem/{id}/mistakes#{mistake}`: the groups of people with the same mistake in a problem, for staff. */
export function ProblemMistakesPage() {
  const { t } = useTranslation()
  const problemId = Number(useParams().problemId)
  const { hash } = useLocation()
  const { course } = useCourse()
  const crumbs = useCourseCrumbs('problems')
  const isNumber = Number.isInteger(problemId)
  const problem = useQuery({ ...problemQuery(problemId), enabled: isNumber })
  if (!isNumber) return <NotFoundPage />
  return (
    <LoadedPage
      query={problem}
      title={t('mistakes.title')}
      crumbs={crumbs}
      isHere={(data) => data.course === course}
    >
      {({ problemName }) => (
        <Page
          title={t('mistakes.title')}
          heading={t('mistakes.heading', { name: `#${problemId} ${problemName}` })}
          crumbs={[
            ...crumbs,
            { label: `#${problemId} ${problemName}`, to: paths.problem(course, problemId) },
          ]}
          actions={
            <LinkButton
              to={paths.problemStats(course, problemId)}
              Icon={IconChartBar}
              label={t('common.stats')}
            />
          }
        >
          <GroupList problemId={problemId} wanted={hash.slice(1)} />
        </Page>
      )}
    </LoadedPage>
  )
}
