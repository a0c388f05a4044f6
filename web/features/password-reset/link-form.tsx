import { Alert, Button, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconLinkOff } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { activateBody, resetBody } from '#contract/auth'
import { FormError } from '../../components/form-error.tsx'
import { NewPasswordFields } from '../../components/new-password-fields.tsx'
import { ApiError } from '../../lib/api-error.ts'
import { useErrorText } from '../../lib/error-text.ts'
import { useRefusedFields } from '../../lib/field-text.ts'
import { focusFirstInvalid } from '../../lib/focus.ts'
import type { MailedLink } from '../../lib/mailed-link.ts'
import { useNewPasswordValidation, type NewPasswordValues } from '../../lib/new-password.ts'
import { sessionQuery } from '../../lib/session.ts'
import { activateAccount, resetPassword } from './api.ts'

interface LinkFormProps {
  link: MailedLink
  onDone: () => void
  /** The link is no good: another one is wanted. */
  onAskAgain: () => void
}

/** What an activation sends: no password keeps the one there is. */
function activationOf({ token }: MailedLink, { newPassword }: NewPasswordValues) {
  return { token, ...(newPassword !== '' && { password: newPassword }) }
}

/** The activation's field is named `password`, the reset's `newPassword`. */
function underOneName<T>({ password, ...rest }: Record<string, T>): Record<string, T> {
  return password === undefined ? rest : { newPassword: password, ...rest }
}

/** Uses a mailed link: sets the password of its account, or activates it. */
export function LinkForm({ link, onDone, onAskAgain }: LinkFormProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const errorText = useErrorText()
  const refusedFields = useRefusedFields()
  const isActivation = link.purpose === 'activate'
  const validate = useNewPasswordValidation<NewPasswordValues>(
    isActivation ? activateBody : resetBody,
    (values) =>
      isActivation
        ? activationOf(link, values)
        : { token: link.token, newPassword: values.newPassword },
  )
  const form = useForm<NewPasswordValues>({
    initialValues: { newPassword: '', repeat: '' },
    validate: (values) => underOneName(validate(values)),
  })
  const use = useMutation({
    mutationFn: (values: NewPasswordValues) =>
      isActivation
        ? activateAccount(activationOf(link, values))
        : resetPassword({ token: link.token, newPassword: values.newPassword }),
    onSuccess: async () => {
      onDone()
      // Whoever was signed in to that account is not any more.
      await client.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
    onError: (error) => {
      form.setErrors(underOneName(refusedFields(error)))
      focusFirstInvalid()
    },
  })
  const isBad =
    link.token === '' || (use.error instanceof ApiError && use.error.code === 'bad_link')
  if (isBad)
    return (
      <Alert
        color="red"
        variant="outline"
        icon={<IconLinkOff />}
        title={t('error.bad_link')}
        className="app-alert"
        maw={560}
      >
        <Button size="sm" onClick={onAskAgain}>
          {t('passwordReset.askAgain')}
        </Button>
      </Alert>
    )
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        (values) => use.mutate(values),
        () => focusFirstInvalid(),
      )}
    >
      <Stack className="app-card" p="lg" maw={480}>
        <Text size="sm">
          {t(isActivation ? 'passwordReset.activateText' : 'passwordReset.setText')}
        </Text>
        <NewPasswordFields
          form={form}
          required={!isActivation}
          {...(isActivation && { help: t('passwordReset.keepHelp') })}
        />
        <FormError>
          {use.isError && Object.keys(form.errors).length === 0 ? errorText(use.error) : null}
        </FormError>
        <Button type="submit" loading={use.isPending}>
          {t(isActivation ? 'passwordReset.activate' : 'passwordReset.set')}
        </Button>
      </Stack>
    </form>
  )
}
