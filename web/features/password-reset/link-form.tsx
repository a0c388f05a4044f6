import { Alert, Anchor, Button, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconLinkOff } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import {
  activateBody,
  confirmEmailBody,
  moveEmailBody,
  resetBody,
  type Me,
} from '#contract/people/auth'
import { call } from '../../lib/api/call.ts'
import { CheckedForm } from '../../components/forms/checked-form.tsx'
import { FormError } from '../../components/forms/form-error.tsx'
import { NewPasswordFields } from '../../components/forms/new-password-fields.tsx'
import { isRefusal } from '../../lib/api/api-error.ts'
import { useRefusedFields } from '../../lib/api/field-text.ts'
import { focusFirstInvalid } from '../../lib/focus.ts'
import type { MailedLink } from '../../lib/session/mailed-link.ts'
import {
  underOneName,
  useNewPasswordValidation,
  type NewPasswordValues,
} from '../../lib/session/new-password.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { sessionQuery, useSession } from '../../lib/session/session.ts'
import { paths } from '../../paths.ts'

interface LinkFormProps {
  link: MailedLink
  /** @param keptPassword whether the account had a password that stays */
  onDone: (keptPassword: boolean) => void
  /** Asks for another link, if this one is bad. */
  onAskAgain: () => void
}

/**
 * How a link is used, by its purpose.
 * @param keepsPassword whether a link that confirms an address leaves the password as it is
 */
function linkUseOf(link: MailedLink, user: Me | null, keepsPassword: boolean) {
  const { token, purpose } = link
  function toActivation({ newPassword }: NewPasswordValues) {
    // If no new password is typed, the current one stays.
    return { token, ...(newPassword !== '' && { password: newPassword }) }
  }
  function toMove({ newPassword }: NewPasswordValues) {
    return { token, ...(newPassword !== '' && { newPassword }) }
  }
  function toReset({ newPassword }: NewPasswordValues) {
    return { token, newPassword }
  }
  switch (purpose) {
    case 'activate':
      return {
        schema: activateBody,
        toBody: toActivation,
        send: (values: NewPasswordValues) =>
          call('POST /auth/activate', { body: toActivation(values) }),
        needs: 'optional',
      } as const
    case 'move':
      return {
        schema: moveEmailBody,
        toBody: toMove,
        send: (values: NewPasswordValues) =>
          call('POST /auth/email/move', { body: toMove(values) }),
        // Until an e-mail is confirmed, the person who made the account may know its password.
        needs: user === null || user.emailConfirmed ? 'none' : 'required',
      } as const
    case 'confirm':
      return {
        schema: keepsPassword ? confirmEmailBody : resetBody,
        toBody: keepsPassword ? toMove : toReset,
        send: (values: NewPasswordValues) =>
          call('POST /auth/email/confirm', { body: toMove(values) }),
        // Whoever joined by a code has chosen the password already.
        needs: keepsPassword ? 'none' : 'required',
      } as const
    case 'token':
      return {
        schema: resetBody,
        toBody: toReset,
        send: (values: NewPasswordValues) =>
          call('POST /auth/password-reset', { body: toReset(values) }),
        needs: 'required',
      } as const
  }
}

const TEXTS = {
  token: { text: 'passwordReset.setText', button: 'passwordReset.set' },
  activate: { text: 'passwordReset.activateText', button: 'passwordReset.activate' },
  confirm: { text: 'passwordReset.confirmText', button: 'passwordReset.confirm' },
  move: { text: 'passwordReset.moveText', button: 'passwordReset.move' },
} as const

/** Shown for a link that needs a session. */
function SignInFirst() {
  const { t } = useTranslation()
  return (
    <Stack className="app-card" p="lg" maw={480}>
      <Text size="sm">{t('passwordReset.moveSignIn')}</Text>
      <Anchor component={Link} to={paths.home()} size="sm">
        {t('passwordReset.back')}
      </Anchor>
    </Stack>
  )
}

/** Shown for a link that is wrong, used or expired: leads to another one. */
function BadLink({
  purpose,
  onAskAgain,
}: {
  purpose: MailedLink['purpose']
  onAskAgain: () => void
}) {
  const { t } = useTranslation()
  return (
    <Alert color="red" icon={<IconLinkOff />} title={t('error.bad_link')} maw={560}>
      {purpose === 'token' || purpose === 'activate' ? (
        <Button size="sm" onClick={onAskAgain}>
          {t('passwordReset.askAgain')}
        </Button>
      ) : (
        <Button size="sm" component={Link} to={paths.profile()}>
          {t('nav.profile')}
        </Button>
      )}
    </Alert>
  )
}

/** The form that uses a mailed link. */
export function LinkForm({ link, onDone, onAskAgain }: LinkFormProps) {
  const { t } = useTranslation()
  const refusedFields = useRefusedFields()
  const { state, user } = useSession()
  /** Whether the link is another account's than the one that is signed in. */
  const [isOthers, setIsOthers] = useState(false)
  const keepsPassword = link.purpose === 'confirm' && user?.confirmBy !== undefined && !isOthers
  const { schema, toBody, send, needs } = linkUseOf(link, user, keepsPassword)
  const validate = useNewPasswordValidation<NewPasswordValues>(schema, toBody)
  const form = useForm<NewPasswordValues>({
    initialValues: { newPassword: '', repeat: '' },
    validate: (values) => underOneName(validate(values)),
  })
  const use = useMutation({
    mutationFn: send,
    onSuccess: async () => {
      onDone(keepsPassword)
      // The account's sessions may have ended, or its e-mail changed.
      await refresh(sessionQuery.queryKey)
    },
    onError: (error) => {
      const errors = underOneName(refusedFields(error))
      if (errors['newPassword'] !== undefined) setIsOthers(true)
      form.setErrors(errors)
      focusFirstInvalid()
    },
  })
  if (link.purpose === 'move' && state === 0) return <SignInFirst />
  const isBad = link.token === '' || isRefusal(use.error, 'bad_link')
  if (isBad) return <BadLink purpose={link.purpose} onAskAgain={onAskAgain} />
  return (
    <CheckedForm
      form={form}
      onSend={(values) => use.mutate(values)}
      className="app-card"
      p="lg"
      maw={480}
    >
      <Text size="sm">{t(keepsPassword ? 'join.confirmText' : TEXTS[link.purpose].text)}</Text>
      {needs === 'none' ? null : (
        <NewPasswordFields
          form={form}
          required={needs === 'required'}
          {...(needs === 'optional' && { help: t('passwordReset.keepHelp') })}
        />
      )}
      <FormError error={Object.keys(form.errors).length === 0 ? use.error : null} />
      <Button type="submit" loading={use.isPending}>
        {t(TEXTS[link.purpose].button)}
      </Button>
    </CheckedForm>
  )
}
