import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Page } from '../../components/page/page.tsx'
import { LoadedPage } from '../../layout/loaded-page.tsx'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { marksQuery } from '../../lib/queries/marks.ts'
import { StudentMarks } from './student-marks.tsx'

/** `/course/{name}/marks`: one’s own marks. */
export function MarksPage() {
  const { t } = useTranslation()
  const { course } = useCourse()
  const crumbs = useCourseCrumbs()
  const query = useQuery(marksQuery(course))
  const title = t('nav.marks')
  return (
    <LoadedPage query={query} title={title} crumbs={crumbs}>
      {(own) => (
        <Page title={title} crumbs={crumbs}>
          <StudentMarks own={own} isOwn />
        </Page>
      )}
    </LoadedPage>
  )
}
