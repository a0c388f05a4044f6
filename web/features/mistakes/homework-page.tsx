import { useTranslation } from 'react-i18next'
import { Page } from '../../components/page/page.tsx'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'

/** The groups of people who made the same mistake, for each problem of a homework, for staff. */
export function HomeworkMistakesPage() {
  const { t } = useTranslation()
  const crumbs = useCourseCrumbs('homeworks')
  return (
    <Page crumbs={crumbs} title={t('mistakes.title')}>
      {null}
    </Page>
  )
}
