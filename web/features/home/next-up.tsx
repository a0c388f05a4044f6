import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { STATUS } from '#contract/verdicts'
import { ErrorBox } from '../../components/error-box.tsx'
import { Row, RowList } from '../../components/row-list.tsx'
import { RowsSkeleton } from '../../components/rows-skeleton.tsx'
import { Section } from '../../components/section.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { VerdictBadge } from '../../components/verdict-badge.tsx'
import { coursesQuery } from '../../lib/courses.ts'
import { paths } from '../../paths.ts'
import { newestSubmissionsQuery } from './api.ts'
import { DueHomeworks } from './due-homeworks.tsx'

/** A student's way to the first problems; staff see none. */
function FirstSteps() {
  const { t } = useTranslation()
  const courses = useQuery(coursesQuery)
  const joined = courses.data?.filter(({ role }) => role === 'student') ?? []
  const [first] = joined
  if (first === undefined) return null
  const isOnly = joined.length === 1
  return (
    <Anchor
      component={Link}
      to={isOnly ? paths.problems(first.course) : paths.courses()}
      size="sm"
      underline="always"
    >
      {isOnly ? t('next.toProblems', { course: first.course }) : t('next.toCourses')}
    </Anchor>
  )
}

function NewestVerdicts({ username }: { username: string }) {
  const { t } = useTranslation()
  const page = useQuery(newestSubmissionsQuery(username))
  if (page.isPending) return <RowsSkeleton rows={3} height={58} />
  if (page.isLoadingError) return <ErrorBox of={page} />
  if (page.data.submissions.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('next.noSubmission')} <FirstSteps />
      </Text>
    )
  return (
    <RowList>
      {page.data.submissions.map((item) => (
        <Row
          key={item.submissionId}
          title={
            <Anchor component={Link} to={paths.submission(item.course, item.submissionId)}>
              #{item.problemId} {item.problemName}
            </Anchor>
          }
          facts={
            <>
              <span>{item.course}</span>
              <TimeText at={item.timestamp} relative />
              {item.status === STATUS.PENDING ? null : (
                <span>{t('common.points', { count: item.score })}</span>
              )}
            </>
          }
          action={<VerdictBadge status={item.status} />}
        />
      ))}
    </RowList>
  )
}

/** The running homeworks and the newest verdicts. */
export function NextUp({ username }: { username: string }) {
  const { t } = useTranslation()
  return (
    <>
      <Section title={t('next.homeworks')}>
        <DueHomeworks username={username} />
      </Section>
      <Section title={t('next.verdicts')} isQuiet>
        <NewestVerdicts username={username} />
      </Section>
    </>
  )
}
