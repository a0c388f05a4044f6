import { useTranslation } from 'react-i18next'
import { Page } from '../../components/page/page.tsx'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'

/** `/course/{name}/gradebook`: people and their marks. */
export function GradebookPage() {
  const { t } = useTranslation()
  const crumbs = useCourseCrumbs()
  return (
    <Page title={t('gradebook.title')} crumbs={crumbs}>
      {null}
    </Page>
  )
}
