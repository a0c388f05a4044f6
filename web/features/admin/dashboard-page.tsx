import { useTranslation } from 'react-i18next'
import { Page } from '../../components/page.tsx'
import { Section } from '../../components/section.tsx'
import { paths } from '../../paths.ts'
import { AddRunner } from './add-runner.tsx'
import { CourseTable } from './course-table.tsx'
import classes from './dashboard-page.module.css'
import { Fleet } from './fleet.tsx'
import { Queue } from './queue.tsx'
import { StorageNotice } from './storage-notice.tsx'
import { UserCounts } from './user-counts.tsx'

/** `/admin/dashboard`: statistics, queue, judge hosts. */
export function DashboardPage() {
  const { t } = useTranslation()
  return (
    <Page title={t('admin.dashboard')} crumbs={[{ label: t('nav.admin'), to: paths.admin() }]}>
      <div className={classes.sections}>
        <StorageNotice />
        <section aria-labelledby="people-title">
          <h2 id="people-title" className={classes.title}>
            {t('dashboard.people')}
          </h2>
          <UserCounts />
        </section>
        <section aria-labelledby="queue-title">
          <h2 id="queue-title" className={classes.title}>
            {t('dashboard.queue')}
          </h2>
          <Queue />
        </section>
        <Section title={t('fleet.title')} help={t('fleet.help')} actions={<AddRunner />}>
          <Fleet />
        </Section>
        <section aria-labelledby="courses-title">
          <h2 id="courses-title" className={classes.title}>
            {t('nav.courses')}
          </h2>
          <CourseTable />
        </section>
      </div>
    </Page>
  )
}
