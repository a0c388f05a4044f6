import { Alert, Button, Center, Loader, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { loginBody, type LoginBody } from '#contract/auth'
import { anything, API_BASE, callApi, forgetReads } from '../../lib/api.ts'
import { ApiError } from '../../lib/api-error.ts'
import { useSchemaValidation, type FormErrors } from '../../lib/field-text.ts'
import { safeRedirect } from '../../lib/redirect.ts'
import { sessionQuery, useSession } from '../../lib/session.ts'
import classes from './home-page.module.css'
import { signInMessage, type SignInMessage } from './sign-in-message.ts'

function useSignInText(): (message: SignInMessage) => string {
  const { t } = useTranslation()
  return function text(message) {
    switch (message.key) {
      case 'ERR002':
        return t('signIn.ERR002', { host: message.host })
      case 'LIMIT':
        return t('signIn.LIMIT', { count: message.minutes })
      default:
        return t(`signIn.${message.key}`)
    }
  }
}

function SignInForm() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const client = useQueryClient()
  const messageText = useSignInText()
  const [values, setValues] = useState<LoginBody>({ username: '', password: '' })
  const [errors, setErrors] = useState<FormErrors>({})
  const validate = useSchemaValidation<LoginBody>(loginBody, (body) => body)
  const signIn = useMutation({
    mutationFn: async (body: LoginBody) => {
      await callApi('/auth/session', anything, { method: 'POST', body })
      forgetReads()
      const user = await client.fetchQuery({ ...sessionQuery, staleTime: 0 })
      // Signed in, and yet nobody: the browser did not keep the secure cookie.
      if (user === null)
        throw new ApiError({ status: 0, code: 'no_cookie', message: 'The session was not kept.' })
    },
    onSuccess: async () => {
      const wanted = safeRedirect(query.get('redirect'))
      if (wanted === null) window.location.reload()
      else await navigate(wanted, { replace: true })
    },
  })
  const cookieLost = signIn.error instanceof ApiError && signIn.error.code === 'no_cookie'

  function submit() {
    const found = validate(values)
    setErrors(found)
    if (Object.keys(found).length === 0) signIn.mutate(values)
  }

  function change(part: Partial<LoginBody>) {
    setValues({ ...values, ...part })
    setErrors({})
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Stack gap="sm">
        {query.get('redirect') !== null ? (
          <Text size="sm" c="dimmed">
            {t('signIn.first')}
          </Text>
        ) : null}
        {window.isSecureContext && !cookieLost ? null : (
          <Alert color="yellow" variant="outline" title={t('signIn.insecureTitle')}>
            <Text size="sm">{t('signIn.insecure')}</Text>
          </Alert>
        )}
        <TextInput
          label={t('signIn.username')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          value={values.username}
          onChange={(event) => change({ username: event.currentTarget.value })}
          error={errors['username']}
        />
        <PasswordInput
          label={t('signIn.password')}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
          value={values.password}
          onChange={(event) => change({ password: event.currentTarget.value })}
          error={errors['password']}
        />
        <div role="alert">
          {signIn.error && !cookieLost ? (
            <Text size="sm" c="var(--mantine-color-error)">
              {messageText(signInMessage(signIn.error, window.location.host))}
            </Text>
          ) : null}
        </div>
        <Button type="submit" loading={signIn.isPending} fullWidth>
          {t('signIn.button')}
        </Button>
      </Stack>
    </form>
  )
}

/** Sign-in form, spinner or welcome, by session state (spec §2). */
export function SignInPanel() {
  const { t } = useTranslation()
  const { state, user } = useSession()
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
      {state === 0 ? <SignInForm /> : null}
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
