import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { PRODUCT_NAME } from '#contract/product'
import { FallbackBoundary } from '../../components/feedback/fallback-boundary.tsx'
import { Page } from '../../components/page/page.tsx'
import { RowsSkeleton } from '../../components/feedback/rows-skeleton.tsx'
import { Section } from '../../components/page/section.tsx'
import { useIsLeaving } from '../../layout/use-sign-out-on-arrival.ts'
import { useSession } from '../../lib/session/session.ts'
import { AnnouncementTable } from './announcement-table.tsx'
import classes from './home-page.module.css'
import { MyCourses } from './my-courses.tsx'
import { SignInPanel } from './sign-in-panel.tsx'

/** Loaded for members only. */
const NextUp = lazy(async () => ({ default: (await import('./next-up.tsx')).NextUp }))

/** The placeholder above the announcements until the parts there are loaded. */
const PLACEHOLDER = <RowsSkeleton rows={8} height={58} />

/** `/`: system announcements and the sign-in panel; for members also what to do next. */
export function HomePage() {
  const { t } = useTranslation()
  const { state, user } = useSession()
  const isLeaving = useIsLeaving()
  return (
    <Page title={t('home.title')}>
      {state === 0 || isLeaving ? (
        <p className={classes.what}>{t('home.what', { product: PRODUCT_NAME })}</p>
      ) : null}
      <div className={classes.columns}>
        <div className={classes.main}>
          {state === -1 ? PLACEHOLDER : null}
          {user === null || isLeaving ? null : (
            <FallbackBoundary fallback={null} loading={PLACEHOLDER}>
              <NextUp user={user} placeholder={PLACEHOLDER} />
            </FallbackBoundary>
          )}
          <Section title={t('home.announcements')} isQuiet={user !== null}>
            <AnnouncementTable />
          </Section>
        </div>
        <div className={classes.side} data-guest={user === null || isLeaving || undefined}>
          <SignInPanel />
          {state === 1 && !isLeaving ? <MyCourses /> : null}
        </div>
      </div>
    </Page>
  )
}
