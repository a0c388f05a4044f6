import { useTranslation } from 'react-i18next'
import { Page } from '../../components/page/page.tsx'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'

/** The groups of people who made the same mistake in a problem, for staff. */
export function ProblemMistakesPage() {
  const { t } = useTranslation()
  const crumbs = useCourseCrumbs('problems')
  return (
    <Page crumbs={crumbs} title={t('mistakes.title')}>
      {null}
    </Page>
  )
}
