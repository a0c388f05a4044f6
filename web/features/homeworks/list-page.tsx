import { Stack } from '@mantine/core'
import {
  IconCalendarDue,
  IconCalendarPlus,
  IconPlus,
  IconReportAnalytics,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { can } from '#contract/roles'
import { LinkButton } from '../../components/page/link-button.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { useMarkdownSoon } from '../../components/markdown/markdown.tsx'
import { Page } from '../../components/page/page.tsx'
import { RowsSkeleton } from '../../components/feedback/rows-skeleton.tsx'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { homeworksQuery } from '../../lib/queries/course-homeworks.ts'
import { courseProblemsQuery } from '../../lib/queries/problems.ts'
import { useSession } from '../../lib/session/session.ts'
import { paths } from '../../paths.ts'
import { HomeworkCard } from './homework-card.tsx'

/** Scrolls to the element that the address names after `#`, once it is rendered. */
function useScrollToNamed(isThere: boolean) {
  const { hash } = useLocation()
  useEffect(() => {
    if (isThere && hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [isThere, hash])
}

/** The link of students to their marks. */
function MarksButton() {
  const { t } = useTranslation()
  const { course } = useCourse()
  return <LinkButton to={paths.marks(course)} Icon={IconReportAnalytics} label={t('nav.marks')} />
}

/** `/course/{name}/homeworks`: newest start first. */
export function HomeworksPage() {
  useMarkdownSoon()
  const { t } = useTranslation()
  const { course, role, may } = useCourse()
  const crumbs = useCourseCrumbs()
  const { user } = useSession()
  // Students of a closed course still see what they reached.
  const student = can(role, 'scoreboard.appear') && user !== null ? user.username : null
  const list = useQuery(homeworksQuery(course))
  useScrollToNamed(list.isSuccess)
  const problems = useQuery(courseProblemsQuery(course))
  const sorted = (list.data ?? []).toSorted((a, b) => b.start - a.start)
  const byId = new Map(problems.data?.map((problem) => [problem.problemId, problem]))
  const newButton = may('homework.write') ? (
    <LinkButton
      to={paths.newHomework(course)}
      Icon={IconPlus}
      label={t('homeworks.new')}
      variant="filled"
    />
  ) : null
  return (
    <Page
      title={t('nav.homeworks')}
      crumbs={crumbs}
      actions={
        <>
          {newButton === null ? null : (
            <LinkButton
              to={paths.lateDays(course)}
              Icon={IconCalendarPlus}
              label={t('lateDays.title')}
            />
          )}
          {newButton}
          {student === null ? null : <MarksButton />}
        </>
      }
    >
      {list.isPending ? <RowsSkeleton rows={3} height={160} /> : null}
      <ErrorBox of={list} />
      {list.data?.length === 0 ? (
        <EmptyState Icon={IconCalendarDue} text={t('homeworks.none')} action={newButton} />
      ) : null}
      <Stack gap={18}>
        {sorted.map((item) => (
          <HomeworkCard
            key={item.id}
            homework={item}
            problems={byId}
            own={student === null ? null : (item.studentStatus.get(student) ?? {})}
            mark={student === null ? null : (item.marks.get(student) ?? null)}
          />
        ))}
      </Stack>
    </Page>
  )
}
