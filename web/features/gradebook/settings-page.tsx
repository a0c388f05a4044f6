import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Page } from '../../components/page/page.tsx'
import { LoadedPage } from '../../layout/loaded-page.tsx'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { columnsQuery } from '../../lib/queries/marks.ts'
import { SettingsForm } from './settings/settings-form.tsx'

/** `/course/{name}/gradebook/settings`: columns, groups, and how the total is made. */
export function SettingsPage() {
  const { t } = useTranslation()
  const { course } = useCourse()
  const crumbs = useCourseCrumbs('gradebook')
  const query = useQuery(columnsQuery(course))
  const title = t('gradebook.settings.title')
  return (
    <LoadedPage query={query} title={title} crumbs={crumbs}>
      {(stored) => (
        <Page title={title} crumbs={crumbs}>
          <SettingsForm stored={stored} />
        </Page>
      )}
    </LoadedPage>
  )
}
