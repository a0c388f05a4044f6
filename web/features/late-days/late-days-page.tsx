import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Page } from '../../components/page/page.tsx'
import { LoadedPage } from '../../layout/loaded-page.tsx'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { lateDaysQuery } from '../../lib/queries/late-days.ts'
import { BudgetsForm } from './budgets-form.tsx'
import { OwnLateDays } from './own-late-days.tsx'
import { UsesTable } from './uses-table.tsx'

/** `/course/{name}/late-days`: for staff the late days of the course and of everybody, for students their own. */
export function LateDaysPage() {
  const { t } = useTranslation()
  const { course, may } = useCourse()
  const crumbs = useCourseCrumbs('homeworks')
  const query = useQuery(lateDaysQuery(course))
  const title = t('lateDays.title')
  return (
    <LoadedPage query={query} title={title} crumbs={crumbs}>
      {(table) => (
        <Page title={title} crumbs={crumbs}>
          <Stack gap={24}>
            {may('homework.write') ? (
              <>
                <BudgetsForm table={table} />
                <UsesTable table={table} />
              </>
            ) : (
              <OwnLateDays table={table} />
            )}
          </Stack>
        </Page>
      )}
    </LoadedPage>
  )
}
