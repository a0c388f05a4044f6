import { Button, Skeleton, Stack } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Me } from '#contract/people/auth'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { Page } from '../../components/page/page.tsx'
import { Section } from '../../components/page/section.tsx'
import { apiUrl } from '../../lib/api/api.ts'
import { mayInInstallation, useSession } from '../../lib/session/session.ts'
import { profileQuery } from './api.ts'
import { CalendarLink } from './calendar-link.tsx'
import { ChangePassword } from './change-password.tsx'
import { NewToken } from './new-token.tsx'
import { OwnEmail } from './own-email.tsx'
import { ProfileForm } from './profile-form.tsx'
import classes from './profile-page.module.css'
import { SessionList } from './session-list.tsx'
import { TokenList } from './token-list.tsx'

function OwnData({ user }: { user: Me }) {
  const { t } = useTranslation()
  const own = useQuery(profileQuery(user.username))
  return (
    <Section title={t('profile.about')}>
      <dl className={classes.facts}>
        <dt>{t('profile.username')}</dt>
        <dd className="mono">{user.username}</dd>
        <dt>{t('profile.email')}</dt>
        <dd>
          {user.email} ({t(user.emailConfirmed ? 'profile.confirmed' : 'profile.unconfirmed')})
        </dd>
        <dt>{t('profile.role')}</dt>
        <dd>{t(`role.${user.role}`)}</dd>
      </dl>
      <OwnEmail user={user} />
      {own.isPending ? <Skeleton height={220} /> : null}
      <ErrorBox of={own} />
      {own.data ? <ProfileForm profile={own.data} /> : null}
    </Section>
  )
}

/** `/profile`: the user's data, password, sessions and API tokens. */
export function ProfilePage() {
  const { t } = useTranslation()
  const { user } = useSession()
  if (user === null) return null
  return (
    <Page title={t('nav.profile')}>
      <div className={classes.columns}>
        <Stack gap={20}>
          <OwnData user={user} />
          <Section title={t('password.title')} help={t('password.titleHelp')}>
            <ChangePassword username={user.username} />
          </Section>
        </Stack>
        <Stack gap={20}>
          <Section title={t('sessions.title')} help={t('sessions.help')}>
            <SessionList />
          </Section>
          <Section
            title={t('tokens.title')}
            help={t('tokens.help')}
            actions={<NewToken isAdmin={mayInInstallation(user, 'users.manage')} />}
          >
            <TokenList />
          </Section>
          <Section title={t('calendar.title')} help={t('calendar.help')}>
            <CalendarLink />
          </Section>
          <Section title={t('export.title')} help={t('export.help')}>
            <Button
              component="a"
              href={apiUrl('/auth/me/export')}
              download
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden="true" />}
            >
              {t('export.button')}
            </Button>
          </Section>
        </Stack>
      </div>
    </Page>
  )
}
