import { IconAdjustments } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { RowsSkeleton } from '../../components/feedback/rows-skeleton.tsx'
import { LinkButton } from '../../components/page/link-button.tsx'
import { Page } from '../../components/page/page.tsx'
import { Section } from '../../components/page/section.tsx'
import { paths } from '../../paths.ts'
import { noticeSettingsQuery } from './api.ts'
import { NoticeList } from './notice-list.tsx'
import classes from './notices-page.module.css'
import { SettingsForm } from './settings-form.tsx'

/** `/notices`: what is new in the user's courses, and how the user hears of it. */
export function NoticesPage() {
  const { t } = useTranslation()
  const settings = useQuery(noticeSettingsQuery)
  return (
    <Page
      title={t('nav.notices')}
      actions={
        <LinkButton
          to={`${paths.notices()}#settings`}
          Icon={IconAdjustments}
          label={t('notices.settings')}
        />
      }
    >
      <div className={classes.columns}>
        <div>
          <NoticeList />
        </div>
        <div id="settings">
          <Section title={t('notices.settings')}>
            {settings.isPending ? <RowsSkeleton rows={6} /> : null}
            <ErrorBox of={settings} />
            {settings.data ? <SettingsForm stored={settings.data} /> : null}
          </Section>
        </div>
      </div>
    </Page>
  )
}
