import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { IconMailCheck, IconMailQuestion } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { askEmailBody, type Me } from '#contract/auth'
import { TEXT_LIMITS } from '#contract/limits'
import { Dialog } from '../../components/dialog.tsx'
import { FormError } from '../../components/form-error.tsx'
import { useErrorText } from '../../lib/error-text.ts'
import { useRefusedFields, useSchemaValidation } from '../../lib/field-text.ts'
import { focusFirstInvalid } from '../../lib/focus.ts'
import { askEmail } from './api.ts'

/** Where a mail has gone. */
function SentNotice({ email }: { email: string }) {
  const { t } = useTranslation()
  return (
    <Alert color="green" variant="outline" icon={<IconMailCheck />} className="app-alert">
      {t('profile.confirmationSent', { email })}
    </Alert>
  )
}

/** Asks for the mail to a new address. */
function MoveForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const errorText = useErrorText()
  const refusedFields = useRefusedFields()
  const form = useForm({
    initialValues: { email: '' },
    validate: useSchemaValidation(askEmailBody.required(), (values: { email: string }) => values),
  })
  const ask = useMutation({
    mutationFn: askEmail,
    onError: (error) => {
      form.setErrors(refusedFields(error))
      focusFirstInvalid()
    },
  })
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        (values) => ask.mutate(values),
        () => focusFirstInvalid(),
      )}
    >
      <Stack>
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
        <FormError>
          {ask.isError && Object.keys(form.errors).length === 0 ? errorText(ask.error) : null}
        </FormError>
        {ask.isSuccess ? <SentNotice email={ask.variables.email ?? ''} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t(ask.isSuccess ? 'common.close' : 'common.cancel')}
          </Button>
          <Button type="submit" loading={ask.isPending}>
            {t('profile.sendLink')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** The ways to make one's e-mail count, and to change it. */
export function OwnEmail({ user }: { user: Me }) {
  const { t } = useTranslation()
  const errorText = useErrorText()
  const [opened, dialog] = useDisclosure(false)
  const confirm = useMutation({ mutationFn: () => askEmail({}) })
  return (
    <Stack gap="sm" mb="xs">
      {user.emailConfirmed ? null : (
        <Alert
          color="yellow"
          variant="outline"
          icon={<IconMailQuestion />}
          title={t('members.unconfirmed')}
          className="app-alert"
        >
          {t('profile.unconfirmedHelp')}
        </Alert>
      )}
      <Group gap="sm">
        {user.emailConfirmed ? null : (
          <Button size="xs" loading={confirm.isPending} onClick={() => confirm.mutate()}>
            {t('profile.sendConfirmation')}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={dialog.open}>
          {t('profile.changeEmail')}
        </Button>
      </Group>
      {/* One part of the stack, which keeps no room for what is not there. */}
      <div>
        <output>{confirm.isSuccess ? <SentNotice email={user.email} /> : null}</output>
        <FormError>{confirm.isError ? errorText(confirm.error) : null}</FormError>
      </div>
      <Dialog opened={opened} onClose={dialog.close} title={t('profile.changeEmail')} keepsInput>
        <MoveForm onClose={dialog.close} />
      </Dialog>
    </Stack>
  )
}
