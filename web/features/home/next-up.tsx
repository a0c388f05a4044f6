import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { RunningHomework } from '#contract/homeworks'
import { TOTAL_SCORE } from '#contract/limits'
import { STATUS } from '#contract/verdicts'
import { ErrorBox } from '../../components/error-box.tsx'
import { Row, RowList } from '../../components/row-list.tsx'
import { RowsSkeleton } from '../../components/rows-skeleton.tsx'
import { Section } from '../../components/section.tsx'
import { TimeLeft } from '../../components/time-left.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { VerdictBadge } from '../../components/verdict-badge.tsx'
import { coursesQuery } from '../../lib/courses.ts'
import { paths } from '../../paths.ts'
import { newestSubmissionsQuery, runningHomeworksQuery } from './api.ts'

/** A student's score in a homework; staff have none. */
function Progress({ homework, username }: { homework: RunningHomework; username: string }) {
  const { t } = useTranslation()
  const courses = useQuery(coursesQuery)
  const role = courses.data?.find(({ course }) => course === homework.course)?.role
  if (role !== 'student' || homework.problemIds.length === 0) return null
  const own = homework.studentStatus[username] ?? {}
  const score = homework.problemIds.reduce((sum, id) => sum + (own[id]?.score ?? 0), 0)
  const full = homework.problemIds.length * TOTAL_SCORE
  return <span>{t('homeworks.total', { score, full })}</span>
}

function RunningHomeworks({ username }: { username: string }) {
  const { t } = useTranslation()
  const list = useQuery(runningHomeworksQuery)
  if (list.isPending) return <RowsSkeleton rows={2} height={58} />
  if (list.isError) return <ErrorBox of={list} />
  if (list.data.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('next.noHomework')}
      </Text>
    )
  return (
    <RowList>
      {list.data.map((homework) => (
        <Row
          key={homework.id}
          title={
            <Anchor component={Link} to={paths.homeworks(homework.course)}>
              {homework.name}
            </Anchor>
          }
          facts={
            <>
              <span>{homework.course}</span>
              <span>
                {t('homeworks.due')} <TimeText at={homework.end} withZone />
              </span>
              <Progress homework={homework} username={username} />
            </>
          }
          action={
            <Text size="sm" fw={600}>
              <TimeLeft until={homework.end} />
            </Text>
          }
        />
      ))}
    </RowList>
  )
}

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
  if (page.isError) return <ErrorBox of={page} />
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
                <span>{t('submission.points', { count: item.score })}</span>
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
        <RunningHomeworks username={username} />
      </Section>
      <Section title={t('next.verdicts')}>
        <NewestVerdicts username={username} />
      </Section>
    </>
  )
}
