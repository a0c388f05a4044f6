import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loginBody, type LoginBody } from '#contract/people/auth'
import { ApiError, isRefusal } from '../../lib/api/api-error.ts'
import { isSharedComputer } from '../../lib/session/belongings.ts'
import { useErrorText } from '../../lib/api/error-text.ts'
import { useSchemaValidation, type FormErrors } from '../../lib/api/field-text.ts'
import { focusFirstInvalid } from '../../lib/focus.ts'
import { callWithRetries, whileCrowded } from '../../lib/api/patient-call.ts'
import { signInMessage, type SignInMessage } from '../../lib/session/sign-in-message.ts'
import { signIn as startSession } from '../../lib/session/session.ts'
import { FormError } from './form-error.tsx'
import classes from './sign-in-form.module.css'

function useSignInText(): (message: SignInMessage) => string {
  const { t } = useTranslation()
  const errorText = useErrorText()
  return function text(message) {
    switch (message.key) {
      case 'ERR002':
        return t('signIn.ERR002', { host: message.host })
      case 'LIMIT':
        return errorText(message.error)
      default:
        return t(`signIn.${message.key}`)
    }
  }
}

/** After how many ms the form says that it is at work. */
const SLOW_MS = 1_000

interface SignInFormProps {
  /** The expected user; anybody unless given. */
  username?: string
  onSignedIn: () => void | Promise<void>
}

/** Says after a while that the form is at work: the server checks many people's passwords one after the other. */
function SlowText({ isCrowded }: { isCrowded: boolean }) {
  const { t } = useTranslation()
  const [isSlow, setIsSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), SLOW_MS)
    return () => clearTimeout(timer)
  }, [])
  if (isCrowded) return t('signIn.crowded')
  return isSlow ? t('signIn.slow') : null
}

/** The input, its errors and the call that signs in. */
function useSignIn({ username = '', onSignedIn }: SignInFormProps) {
  const [values, setValues] = useState<LoginBody>(() => ({
    username,
    password: '',
    sharedComputer: isSharedComputer(),
  }))
  const [errors, setErrors] = useState<FormErrors>({})
  /** Whether the server had no room for this attempt, so that the form repeats it. */
  const [isCrowded, setIsCrowded] = useState(false)
  const attempt = useRef<AbortController>(null)
  useEffect(() => () => attempt.current?.abort(), [])
  const validate = useSchemaValidation<LoginBody>(loginBody, (body) => body)
  const signIn = useMutation({
    mutationFn: async (body: LoginBody) => {
      setIsCrowded(false)
      attempt.current = new AbortController()
      await callWithRetries(() => startSession(body), {
        signal: attempt.current.signal,
        // The queue of waiting sign-ins is full, or the person has sent too many changes. "Too many wrong passwords" is
        // another refusal, which is final.
        patience: (error, failures) =>
          isRefusal(error, 'too_many_requests') ? whileCrowded(error, failures) : null,
        onWait: () => setIsCrowded(true),
      })
    },
    onSuccess: onSignedIn,
    onError: (error) => {
      // A fault of the app itself: the form says UNKNOWN, the console names the error.
      if (!(error instanceof ApiError) && !attempt.current?.signal.aborted) reportError(error)
    },
  })

  function submit(form: HTMLElement) {
    if (signIn.isPending) return
    const found = validate(values)
    setErrors(found)
    if (Object.keys(found).length === 0) signIn.mutate(values)
    else focusFirstInvalid(form)
  }

  function change(part: Partial<LoginBody>) {
    setValues({ ...values, ...part })
    setErrors({})
  }

  return { values, errors, signIn, isCrowded, submit, change }
}

interface SharedComputerBoxProps {
  checked: boolean
  onChange: (checked: boolean) => void
}

/** A checkbox for a computer that other people use, too. Mantine's own checkbox would slow down every guest's first visit. */
export function SharedComputerBox({ checked, onChange }: SharedComputerBoxProps) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <div className={classes.shared}>
      <input
        id={`${id}-box`}
        type="checkbox"
        aria-describedby={`${id}-help`}
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label htmlFor={`${id}-box`}>{t('signIn.shared')}</label>
      <span id={`${id}-help`} className={classes.help}>
        {t('signIn.sharedHelp')}
      </span>
    </div>
  )
}

/** Says at an address where browsers keep no session that nobody can sign in. */
export function InsecureNote({ error }: { error: unknown }) {
  const { t } = useTranslation()
  if (window.isSecureContext && !isRefusal(error, 'no_cookie')) return null
  return (
    <Alert color="yellow" title={t('signIn.insecureTitle')}>
      <Text size="sm">{t('signIn.insecure')}</Text>
    </Alert>
  )
}

/** The sign-in form with the message of a failure. */
export function SignInForm(props: SignInFormProps) {
  const { t } = useTranslation()
  const messageText = useSignInText()
  const { values, errors, signIn, isCrowded, submit, change } = useSignIn(props)
  const cookieLost = isRefusal(signIn.error, 'no_cookie')
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit(event.currentTarget)
      }}
    >
      <Stack gap="sm">
        <InsecureNote error={signIn.error} />
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
        <SharedComputerBox
          checked={values.sharedComputer}
          onChange={(sharedComputer) => change({ sharedComputer })}
        />
        <FormError>
          {signIn.error && !cookieLost
            ? messageText(signInMessage(signIn.error, window.location.host))
            : null}
        </FormError>
        <Button type="submit" loading={signIn.isPending} fullWidth>
          {t('signIn.button')}
        </Button>
        {/* Rendered before its text arrives, else screen readers miss it. */}
        <Text component="output" size="sm" c="dimmed" ta="center">
          {signIn.isPending ? <SlowText isCrowded={isCrowded} /> : null}
        </Text>
      </Stack>
    </form>
  )
}
