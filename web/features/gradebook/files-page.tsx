import { useTranslation } from 'react-i18next'
import { Page } from '../../components/page/page.tsx'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'

/** `/course/{name}/gradebook/files`: files of other systems, filled and read. */
export function FilesPage() {
  const { t } = useTranslation()
  const crumbs = useCourseCrumbs()
  return (
    <Page title={t('gradebook.files.title')} crumbs={crumbs}>
      {null}
    </Page>
  )
}
