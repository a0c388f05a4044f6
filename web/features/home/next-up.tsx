import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Me } from '#contract/people/auth'
import { can } from '#contract/roles'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { FallbackBoundary } from '../../components/feedback/fallback-boundary.tsx'
import { RowsSkeleton } from '../../components/feedback/rows-skeleton.tsx'
import { Section } from '../../components/page/section.tsx'
import { coursesQuery } from '../../lib/queries/courses.ts'
import { mayInInstallation } from '../../lib/session/session.ts'
import { paths } from '../../paths.ts'
import { runningHomeworksQuery } from '../../lib/queries/homeworks.ts'
import { newestSubmissionsQuery } from './api.ts'
import { DueHomeworks } from './due-homeworks.tsx'
import { SubmissionRows } from './submission-rows.tsx'

/** Loaded for admins only. */
const SetupNotice = lazy(async () => ({
  default: (await import('./setup-notice.tsx')).SetupNotice,
}))

/** Loaded for staff only. */
const StaffOverview = lazy(async () => ({
  default: (await import('./staff-overview.tsx')).StaffOverview,
}))

/** Links a student to the problems of the only course, or with several courses to the list of courses. */
function FirstSteps() {
  const { t } = useTranslation()
  const courses = useQuery(coursesQuery)
  const joined = courses.data?.filter(({ role }) => can(role, 'scoreboard.appear')) ?? []
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
  return <SubmissionRows submissions={page.data.submissions} />
}

/** Whether all reads have ended, or one has failed, so that the part with the failed read can show the error. */
function useIsThere({ username }: Me): boolean {
  const reads = [
    useQuery(runningHomeworksQuery),
    // This read is not polled here, because the list of submissions polls it.
    useQuery({ ...newestSubmissionsQuery(username), refetchInterval: false }),
    useQuery(coursesQuery),
  ]
  const isRead = reads.every(({ isFetched }) => isFetched)
  // Paused reads wait for a network; they count as failed.
  const fails = reads.some(
    ({ errorUpdateCount, fetchStatus }) => errorUpdateCount > 0 || fetchStatus === 'paused',
  )
  return isRead || fails
}

interface NextUpProps {
  user: Me
  /** Shown until all parts are read, because parts that appear one by one move each other. */
  placeholder: ReactNode
}

/**
 * The waiting work for staff, the running homeworks and newest verdicts for students; for admins also what the
 * installation lacks.
 */
export function NextUp({ user, placeholder }: NextUpProps) {
  const { t } = useTranslation()
  const maySetUp = mayInInstallation(user, 'installation.setUp')
  const isThere = useIsThere(user)
  const { data: courses = [] } = useQuery(coursesQuery)
  const isStaff = courses.some(({ role }) => can(role, 'submission.readAll'))
  const isStudent = courses.some(({ role }) => can(role, 'scoreboard.appear'))
  return (
    <>
      {isThere ? null : placeholder}
      {maySetUp ? (
        <FallbackBoundary fallback={null} loading={placeholder}>
          <SetupNotice placeholder={placeholder} />
        </FallbackBoundary>
      ) : null}
      {isStaff ? (
        <FallbackBoundary fallback={null} loading={placeholder}>
          <StaffOverview placeholder={placeholder} />
        </FallbackBoundary>
      ) : null}
      {isStudent || !isStaff ? (
        <>
          <Section title={t('next.homeworks')}>
            <DueHomeworks username={user.username} />
          </Section>
          <Section title={t('next.verdicts')} isQuiet>
            <NewestVerdicts username={user.username} />
          </Section>
        </>
      ) : null}
    </>
  )
}
