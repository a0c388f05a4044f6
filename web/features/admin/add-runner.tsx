import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { newRunner } from '#contract/runners'
import { CheckedForm } from '../../components/checked-form.tsx'
import { DialogButton } from '../../components/dialog-button.tsx'
import { FormButtons } from '../../components/form-buttons.tsx'
import { FormError } from '../../components/form-error.tsx'
import { CopyText, SecretCreated } from '../../components/secret-text.tsx'
import { apiHref } from '../../lib/api.ts'
import { useSchemaValidation } from '../../lib/field-text.ts'
import { refresh } from '../../lib/query-client.ts'
import { addRunner, runnersQuery } from './api.ts'

/** The commands that start a runner in a clone of the project. */
function startCommands(token: string): string {
  return [
    'npm ci',
    `export SERVER_URL=${new URL(apiHref('/')).origin}`,
    `export RUNNER_TOKEN=${token}`,
    "npx -c 'node runner/main.ts'",
  ].join('\n')
}

function AddRunnerForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const form = useForm({
    initialValues: { name: '' },
    validate: useSchemaValidation(newRunner, (values: { name: string }) => values),
  })
  const add = useMutation({
    mutationFn: addRunner,
    onSuccess: () => refresh(runnersQuery.queryKey),
  })
  if (add.data)
    return (
      <SecretCreated label={t('fleet.token')} secret={add.data.token} onClose={onClose}>
        <Text size="sm">{t('fleet.start')}</Text>
        <CopyText label={t('fleet.commands')} text={startCommands(add.data.token)} />
      </SecretCreated>
    )
  return (
    <CheckedForm form={form} onSend={(values) => add.mutate(values)}>
      <TextInput
        label={t('fleet.name')}
        description={t('fleet.nameHelp')}
        withAsterisk
        data-autofocus
        maxLength={64}
        {...form.getInputProps('name')}
      />
      <FormError error={add.error} />
      <FormButtons label={t('fleet.add')} isSending={add.isPending} onCancel={onClose} />
    </CheckedForm>
  )
}

/** The button that adds a judge host, and its dialog. */
export function AddRunner() {
  const { t } = useTranslation()
  return (
    <DialogButton
      label={t('fleet.add')}
      icon={<IconPlus size={15} aria-hidden="true" />}
      buttonSize="xs"
      size="lg"
      keepsInput
    >
      {(close) => <AddRunnerForm onClose={close} />}
    </DialogButton>
  )
}
