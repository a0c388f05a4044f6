import { useTranslation } from 'react-i18next'
import { Page } from '../../components/page/page.tsx'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'

/** `/course/{name}/marks/{username}`: the marks as that student sees them. */
export function StudentPage() {
  const { t } = useTranslation()
  const crumbs = useCourseCrumbs()
  return (
    <Page title={t('marks.title')} crumbs={crumbs}>
      {null}
    </Page>
  )
}
