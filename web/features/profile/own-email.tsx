import { Alert, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconMailQuestion } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { askEmailBody, type Me } from '#contract/people/auth'
import { TEXT_LIMITS } from '#contract/limits'
import { call } from '../../lib/api/call.ts'
import {
  ConfirmByText,
  SendConfirmation,
  SentNotice,
} from '../../components/forms/send-confirmation.tsx'
import { CheckedForm } from '../../components/forms/checked-form.tsx'
import { DialogButton } from '../../components/overlays/dialog-button.tsx'
import { FormButtons } from '../../components/forms/form-buttons.tsx'
import { FormError } from '../../components/forms/form-error.tsx'
import { useRefusedFields, useSchemaValidation } from '../../lib/api/field-text.ts'
import { focusFirstInvalid } from '../../lib/focus.ts'

/** Asks for a confirmation mail to a new address. */
function MoveForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const refusedFields = useRefusedFields()
  const form = useForm({
    initialValues: { email: '' },
    validate: useSchemaValidation(askEmailBody.required(), (values: { email: string }) => values),
  })
  const ask = useMutation({
    mutationFn: (body: { email: string }) => call('POST /auth/email', { body }),
    onError: (error) => {
      form.setErrors(refusedFields(error))
      focusFirstInvalid()
    },
  })
  return (
    <CheckedForm form={form} onSend={(values) => ask.mutate(values)}>
      <Text size="sm">{t('profile.changeEmailHelp')}</Text>
      <TextInput
        label={t('profile.newEmail')}
        type="email"
        withAsterisk
        data-autofocus
        autoComplete="email"
        maxLength={TEXT_LIMITS.email}
        {...form.getInputProps('email')}
      />
      <FormError error={Object.keys(form.errors).length === 0 ? ask.error : null} />
      {ask.isSuccess ? <SentNotice email={ask.variables.email} /> : null}
      <FormButtons
        label={t('profile.sendLink')}
        isSending={ask.isPending}
        onCancel={onClose}
        cancelLabel={t(ask.isSuccess ? 'common.close' : 'common.cancel')}
      />
    </CheckedForm>
  )
}

/** Confirms the user's e-mail, or changes it. */
export function OwnEmail({ user }: { user: Me }) {
  const { t } = useTranslation()
  return (
    <Stack gap="sm" mb="xs">
      {user.emailConfirmed ? null : (
        <Alert color="yellow" icon={<IconMailQuestion />} title={t('members.unconfirmed')}>
          {user.confirmBy === undefined ? t('profile.unconfirmedHelp') : <ConfirmByText />}
        </Alert>
      )}
      <Group gap="sm" align="flex-start">
        {user.emailConfirmed ? null : <SendConfirmation />}
        <DialogButton label={t('profile.changeEmail')} buttonSize="xs" keepsInput>
          {(close) => <MoveForm onClose={close} />}
        </DialogButton>
      </Group>
    </Stack>
  )
}
