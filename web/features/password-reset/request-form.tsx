import { Alert, Anchor, Button, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconMailCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { recoveryBody } from '#contract/people/auth'
import { TEXT_LIMITS } from '#contract/limits'
import { call } from '../../lib/api/call.ts'
import { CheckedForm } from '../../components/forms/checked-form.tsx'
import { isRefusal } from '../../lib/api/api-error.ts'
import { useErrorText } from '../../lib/api/error-text.ts'
import { useSchemaValidation } from '../../lib/api/field-text.ts'
import { focusFirstInvalid } from '../../lib/focus.ts'
import { useSession } from '../../lib/session/session.ts'
import { paths } from '../../paths.ts'

/** Asks for the registered e-mail, and sends a link there. */
export function RequestForm() {
  const { t } = useTranslation()
  const { user } = useSession()
  const errorText = useErrorText()
  const form = useForm({
    initialValues: { email: '' },
    validate: useSchemaValidation(recoveryBody, (values: { email: string }) => values),
  })
  const request = useMutation({
    mutationFn: (body: { email: string }) => call('POST /auth/password-recovery', { body }),
    onError: (error) => {
      const unknown = isRefusal(error, 'unknown_email')
      form.setFieldError('email', unknown ? t('passwordReset.notFound') : errorText(error))
      focusFirstInvalid()
    },
  })
  return (
    <CheckedForm
      form={form}
      onSend={(values) => request.mutate(values)}
      className="app-card"
      p="lg"
      maw={480}
    >
      <Text size="sm">{t('passwordReset.ask')}</Text>
      <TextInput
        label={t('passwordReset.email')}
        type="email"
        withAsterisk
        autoComplete="email"
        maxLength={TEXT_LIMITS.email}
        {...form.getInputProps('email')}
      />
      {request.isSuccess ? (
        <Alert color="green" icon={<IconMailCheck />}>
          {t('passwordReset.sent')}
        </Alert>
      ) : null}
      <Button type="submit" loading={request.isPending}>
        {t(request.isSuccess ? 'passwordReset.sendAgain' : 'passwordReset.send')}
      </Button>
      <Anchor component={Link} to={paths.home()} size="sm">
        {t(user === null ? 'passwordReset.back' : 'notFound.back')}
      </Anchor>
    </CheckedForm>
  )
}
