import { Alert, Anchor, Center, Loader, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { SignInForm } from '../../components/forms/sign-in-form.tsx'
import { PASSWORD_CHANGED } from '../../layout/use-sign-out-on-arrival.ts'
import { API_BASE } from '../../lib/api/api-base.ts'
import { safeRedirect } from '../../lib/navigation/redirect.ts'
import { useSession } from '../../lib/session/session.ts'
import { paths } from '../../paths.ts'
import classes from './home-page.module.css'

/** Sign-in form, spinner or welcome, by session state. */
export function SignInPanel() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const arrival = useLocation()
  const { state, user } = useSession()

  async function goOn() {
    const wanted = safeRedirect(query.get('redirect'))
    if (wanted === null) window.location.reload()
    else await navigate(wanted, { replace: true })
  }

  return (
    <section className={`app-card ${classes.panel}`} aria-labelledby="sign-in-title">
      <h2 id="sign-in-title" className={classes.panelTitle}>
        {user === null
          ? t('signIn.title')
          : t('signIn.welcome', { name: user.displayedName || user.username })}
      </h2>
      {state === -1 ? (
        <Center mih={190}>
          <Loader aria-label={t('common.loading')} />
        </Center>
      ) : null}
      {state === 0 && arrival.state === PASSWORD_CHANGED ? (
        <Alert color="green" mb="sm">
          {t('signIn.passwordChanged')}
        </Alert>
      ) : null}
      {state === 0 && query.get('redirect') !== null ? (
        <Text size="sm" c="dimmed" mb="sm">
          {t('signIn.first')}
        </Text>
      ) : null}
      {state === 0 ? (
        <>
          <SignInForm onSignedIn={goOn} />
          <Text size="sm" ta="center" mt="sm" lh={2}>
            <Anchor component={Link} to={paths.passwordReset()}>
              {t('signIn.forgot')}
            </Anchor>
            <br />
            <Anchor component={Link} to={paths.join() + arrival.search}>
              {t('signIn.haveCode')}
            </Anchor>
          </Text>
        </>
      ) : null}
      {user !== null ? (
        <Text size="sm" c="dimmed">
          {t('signIn.signedInAs', { username: user.username, role: t(`role.${user.role}`) })}
        </Text>
      ) : null}
      <p className={classes.debug}>
        {t('signIn.debug', { mode: import.meta.env.MODE, base: API_BASE })}
      </p>
    </section>
  )
}
