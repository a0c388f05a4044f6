import { Anchor, Stack } from '@mantine/core'
import { IconMailQuestion } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { ConfirmByText, SendConfirmation } from '../components/forms/send-confirmation.tsx'
import { Page } from '../components/page/page.tsx'
import { paths } from '../paths.ts'
import classes from './notices.module.css'

/** In place of a page that the API would refuse until the address is confirmed. */
function ConfirmFirst() {
  const { t } = useTranslation()
  return (
    <Page title={t('join.confirmTitle')}>
      <Stack className="app-card" p="lg" maw={560}>
        <ConfirmByText />
        <SendConfirmation />
        <Anchor component={Link} to={paths.profile()}>
          {t('profile.changeEmail')}
        </Anchor>
      </Stack>
    </Page>
  )
}

/** Asks for the confirmation of the e-mail address: above the pages of a course, or in place of a page. */
export function ConfirmEmail({ isFirst }: { isFirst: boolean }) {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  if (isFirst) return <ConfirmFirst />
  if (!pathname.startsWith(paths.course(''))) return null
  return (
    <div className={`app-screen-only ${classes.banner} ${classes.confirm}`}>
      <IconMailQuestion size={18} aria-hidden="true" />
      <span>
        <ConfirmByText />{' '}
        <Anchor component={Link} to={paths.profile()} inherit underline="always" c="inherit">
          {t('join.confirmWays')}
        </Anchor>
      </span>
    </div>
  )
}
