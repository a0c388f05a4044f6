import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { Page } from '../../components/page/page.tsx'
import { LoadedPage } from '../../layout/loaded-page.tsx'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { studentMarksQuery } from '../../lib/queries/marks.ts'
import { StudentMarks } from './student-marks.tsx'

/** `/course/{name}/marks/{username}`: the marks as that student sees them. */
export function StudentPage() {
  const { t } = useTranslation()
  const { username = '' } = useParams()
  const { course } = useCourse()
  const crumbs = useCourseCrumbs('gradebook')
  const query = useQuery(studentMarksQuery(course, username))
  return (
    <LoadedPage query={query} title={t('marks.of', { name: username })} crumbs={crumbs}>
      {(own) => {
        const name = own.user.displayedName || own.user.username
        return (
          <Page title={t('marks.of', { name })} crumbs={crumbs}>
            <Alert color="blue" mb="md">
              {t('marks.asStudent', { name })}
            </Alert>
            <StudentMarks own={own} isOwn={false} />
          </Page>
        )
      }}
    </LoadedPage>
  )
}
