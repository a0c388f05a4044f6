import { Anchor } from '@mantine/core'
import { IconListDetails } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import type { Homework } from '#contract/homeworks'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Page } from '../../components/page/page.tsx'
import { LoadedPage } from '../../layout/loaded-page.tsx'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { homeworkQuery } from '../../lib/queries/homework-dates.ts'
import { paths } from '../../paths.ts'
import { GroupList } from './group-list.tsx'
import classes from './mistakes.module.css'

interface ProblemGroupsProps {
  problem: Homework['problems'][number]
  openAtFirst: boolean
}

/** The groups of one problem; they are read once its part is opened. */
function ProblemGroups({ problem: { problemId, problemName }, openAtFirst }: ProblemGroupsProps) {
  const { t } = useTranslation()
  const { course } = useCourse()
  const [wasOpened, setWasOpened] = useState(openAtFirst)
  return (
    <details
      className={`app-card ${classes.problem}`}
      open={openAtFirst}
      onToggle={() => setWasOpened(true)}
    >
      <summary>
        <h2>
          #{problemId} {problemName}
        </h2>
      </summary>
      {wasOpened ? (
        <div className={classes.problemBody}>
          <Anchor
            component={Link}
            to={paths.problemMistakes(course, problemId)}
            display="block"
            mb="sm"
          >
            {t('mistakes.onlyThis')}
          </Anchor>
          <GroupList problemId={problemId} />
        </div>
      ) : null}
    </details>
  )
}

/** `/course/{name}/homeworks/{id}/mistakes`: the groups of people with the same mistake in each problem, for staff. */
export function HomeworkMistakesPage() {
  const { t } = useTranslation()
  const { homeworkId = '' } = useParams()
  const { course } = useCourse()
  const crumbs = useCourseCrumbs('homeworks')
  const homework = useQuery(homeworkQuery(homeworkId))
  return (
    <LoadedPage
      query={homework}
      title={t('mistakes.title')}
      crumbs={crumbs}
      isHere={(data) => data.course === course}
    >
      {({ name, problems }) => (
        <Page
          title={t('mistakes.title')}
          heading={t('mistakes.heading', { name })}
          crumbs={[...crumbs, { label: name, to: paths.homeworkStats(course, homeworkId) }]}
        >
          {problems.length === 0 ? (
            <EmptyState Icon={IconListDetails} text={t('homeworks.noProblems')} />
          ) : (
            problems.map((problem, index) => (
              <ProblemGroups key={problem.problemId} problem={problem} openAtFirst={index === 0} />
            ))
          )}
        </Page>
      )}
    </LoadedPage>
  )
}
