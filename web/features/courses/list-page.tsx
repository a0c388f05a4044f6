import { Alert, Box } from '@mantine/core'
import { IconBooks, IconPlus, IconTicket } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { LinkButton } from '../../components/page/link-button.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { Page } from '../../components/page/page.tsx'
import { RowsSkeleton } from '../../components/feedback/rows-skeleton.tsx'
import { coursesQuery } from '../../lib/queries/courses.ts'
import { mayInInstallation, useSession } from '../../lib/session/session.ts'
import { paths } from '../../paths.ts'
import { ClosedCourses } from './closed-courses.tsx'
import { CourseCards } from './course-cards.tsx'
import { DeletedCourses } from './deleted-courses.tsx'

/** `/courses`: the user's courses; for admins all. */
export function CoursesPage() {
  const { t } = useTranslation()
  const { user } = useSession()
  const courses = useQuery(coursesQuery)
  /** The course that the user has just left. */
  const left = (useLocation().state as { left?: string } | null)?.left
  const newButton = mayInInstallation(user, 'course.create') ? (
    <LinkButton to={paths.newCourse()} Icon={IconPlus} label={t('courses.new')} variant="filled" />
  ) : null
  return (
    <Page title={t('nav.courses')} actions={newButton}>
      {left === undefined ? null : (
        <Alert color="green" mb="md">
          {t('join.leave.done', { course: left })}
        </Alert>
      )}
      {courses.isPending ? <RowsSkeleton rows={4} height={72} /> : null}
      <ErrorBox of={courses} />
      {courses.data?.length === 0 ? (
        <EmptyState
          Icon={IconBooks}
          text={t('courses.none')}
          action={
            newButton ?? (
              <LinkButton to={paths.join()} Icon={IconTicket} label={t('signIn.haveCode')} />
            )
          }
        />
      ) : null}
      {courses.data ? <CourseCards courses={courses.data} /> : null}
      <Box mt={32}>
        <ClosedCourses />
      </Box>
      {newButton === null ? null : (
        <Box mt={32}>
          <DeletedCourses />
        </Box>
      )}
    </Page>
  )
}
