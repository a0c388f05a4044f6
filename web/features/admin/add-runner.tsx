import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { cloudConfig, type HostSetup, installLine } from '#contract/installation/host-setup'
import { runnerAdded, newRunner, type RunnerAdded } from '#contract/judging/runners'
import { call } from '../../lib/api/call.ts'
import { CheckedForm } from '../../components/forms/checked-form.tsx'
import { DialogButton } from '../../components/overlays/dialog-button.tsx'
import { FormButtons } from '../../components/forms/form-buttons.tsx'
import { FormError } from '../../components/forms/form-error.tsx'
import { CopyText, SecretCreated } from '../../components/display/secret-text.tsx'
import { apiHref } from '../../lib/api/api.ts'
import { useSchemaValidation } from '../../lib/api/field-text.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { runnersQuery } from './api.ts'

/** How the added host is set up. */
function setupOf({ token, installSha256 }: RunnerAdded): HostSetup {
  const server = new URL(apiHref('/')).origin
  return { server, secretName: 'RUNNER_TOKEN', secret: token, installSha256: installSha256 ?? '' }
}

function AddRunnerForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const form = useForm({
    initialValues: { name: '' },
    validate: useSchemaValidation(newRunner, (values: { name: string }) => values),
  })
  const add = useMutation({
    mutationFn: (body: { name: string }) => call('POST /runners', { body, as: runnerAdded }),
    onSuccess: () => refresh(runnersQuery.queryKey),
  })
  if (add.data)
    return (
      <SecretCreated label={t('fleet.token')} secret={add.data.token} onClose={onClose}>
        <Text size="sm">{t('fleet.install')}</Text>
        <CopyText label={t('fleet.installLine')} text={installLine(setupOf(add.data))} />
        <Text size="sm">{t('fleet.cloud')}</Text>
        <CopyText label={t('fleet.cloudFile')} text={cloudConfig(setupOf(add.data))} />
        <Text size="sm">{t('fleet.cost')}</Text>
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
