import { Anchor, Stack } from '@mantine/core'
import { IconMailQuestion } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, Outlet, useLocation } from 'react-router'
import {
  ConfirmByText,
  SendConfirmation,
  useMustConfirm,
} from '../components/forms/send-confirmation.tsx'
import { Page } from '../components/page/page.tsx'
import { isPublicPath } from '../lib/navigation/redirect.ts'
import { paths } from '../paths.ts'
import classes from './notices.module.css'

/** Whether an account that waits for its owner's confirmation can open a page; home is public, but reads one's courses. */
export function worksUnconfirmed(pathname: string): boolean {
  return pathname === paths.profile() || (pathname !== paths.home() && isPublicPath(pathname))
}

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

/** The page of somebody who still has to confirm their e-mail address: below a reminder, or after the time not at all. */
export function ConfirmEmail() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const mustConfirm = useMustConfirm()
  if (mustConfirm && !worksUnconfirmed(pathname)) return <ConfirmFirst />
  return (
    <>
      {pathname.startsWith(paths.course('')) ? (
        <div className={`app-screen-only ${classes.banner} ${classes.confirm}`}>
          <IconMailQuestion size={18} aria-hidden="true" />
          <span>
            <ConfirmByText />{' '}
            <Anchor component={Link} to={paths.profile()} inherit underline="always" c="inherit">
              {t('join.confirmWays')}
            </Anchor>
          </span>
        </div>
      ) : null}
      <Outlet />
    </>
  )
}
