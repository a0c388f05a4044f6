import { useTranslation } from 'react-i18next'
import { Page } from '../../components/page/page.tsx'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'

/** `/course/{name}/gradebook/settings`: columns, groups, and how the total is made. */
export function SettingsPage() {
  const { t } = useTranslation()
  const crumbs = useCourseCrumbs()
  return (
    <Page title={t('gradebook.settings.title')} crumbs={crumbs}>
      {null}
    </Page>
  )
}
