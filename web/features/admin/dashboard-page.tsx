import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '../../components/page/page.tsx'
import { Section } from '../../components/page/section.tsx'
import { paths } from '../../paths.ts'
import { AddRunner } from './add-runner.tsx'
import { Alarms } from './alarms.tsx'
import { CourseTable } from './course-table.tsx'
import { DatabaseSize } from './database-size.tsx'
import classes from './dashboard-page.module.css'
import { Fleet } from './fleet.tsx'
import { Queue } from './queue.tsx'
import { StorageNotice } from './storage-notice.tsx'
import { UserCounts } from './user-counts.tsx'

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={classes.title}>
        {title}
      </h2>
      {children}
    </section>
  )
}

/** `/admin/dashboard`: statistics, queue, judge hosts, database. */
export function DashboardPage() {
  const { t } = useTranslation()
  return (
    <Page title={t('admin.dashboard')} crumbs={[{ label: t('nav.admin'), to: paths.admin() }]}>
      <div className={classes.sections}>
        <StorageNotice />
        <Alarms />
        <Part title={t('dashboard.people')}>
          <UserCounts />
        </Part>
        <Part title={t('dashboard.queue')}>
          <Queue />
        </Part>
        <Section title={t('fleet.title')} help={t('fleet.help')} actions={<AddRunner />}>
          <Fleet />
        </Section>
        <Part title={t('database.title')}>
          <DatabaseSize />
        </Part>
        <Part title={t('nav.courses')}>
          <CourseTable />
        </Part>
      </div>
    </Page>
  )
}
