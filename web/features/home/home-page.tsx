import { useTranslation } from 'react-i18next'
import { Page } from '../../components/page.tsx'
import { useSession } from '../../lib/session.ts'
import { AnnouncementTable } from './announcement-table.tsx'
import classes from './home-page.module.css'
import { MyCourses } from './my-courses.tsx'
import { SignInPanel } from './sign-in-panel.tsx'

/** `/`: system announcements and the sign-in panel. */
export function HomePage() {
  const { t } = useTranslation()
  const { state } = useSession()
  return (
    <Page title={t('home.title')}>
      <div className={classes.columns}>
        <section aria-labelledby="announcements-title">
          <h2 id="announcements-title" className={classes.sectionTitle}>
            {t('home.announcements')}
          </h2>
          <AnnouncementTable />
        </section>
        <div className={classes.side}>
          <SignInPanel />
          {state === 1 ? <MyCourses /> : null}
        </div>
      </div>
    </Page>
  )
}
