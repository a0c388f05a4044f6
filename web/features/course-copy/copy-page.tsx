import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PUBLIC_COURSE } from '#contract/fields'
import { ForbiddenPage } from '../../layout/forbidden-page.tsx'
import { LoadedPage } from '../../layout/loaded-page.tsx'
import { NotFoundPage } from '../../layout/not-found-page.tsx'
import { Page } from '../../components/page/page.tsx'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { mayInInstallation, useSession } from '../../lib/session/session.ts'
import { oldHomeworksQuery } from './api.ts'
import { CopyForm } from './copy-form.tsx'

/** `/course/{name}/copy`: brings the course back under a new name, with new dates. */
export function CopyCoursePage() {
  const { t } = useTranslation()
  const { course, labels } = useCourse()
  const { user } = useSession()
  const crumbs = useCourseCrumbs()
  const query = useQuery(oldHomeworksQuery(course, labels.length > 0))
  if (course === PUBLIC_COURSE) return <NotFoundPage />
  if (!mayInInstallation(user, 'course.create')) return <ForbiddenPage />
  return (
    <LoadedPage query={query} title={t('courseCopy.title')} crumbs={crumbs}>
      {(homeworks) => (
        <Page title={t('courseCopy.title')} crumbs={crumbs}>
          <CopyForm key={course} homeworks={homeworks} />
        </Page>
      )}
    </LoadedPage>
  )
}
