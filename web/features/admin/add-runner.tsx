import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { newRunner } from '#contract/runners'
import { Dialog } from '../../components/dialog.tsx'
import { FormError } from '../../components/form-error.tsx'
import { CopyText, SecretText } from '../../components/secret-text.tsx'
import { apiHref } from '../../lib/api.ts'
import { useErrorText } from '../../lib/error-text.ts'
import { useSchemaValidation } from '../../lib/field-text.ts'
import { focusFirstInvalid } from '../../lib/focus.ts'
import { addRunner, runnersQuery } from './api.ts'

/** What to type on the new machine, in a copy of the project. */
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
  const client = useQueryClient()
  const errorText = useErrorText()
  const form = useForm({
    initialValues: { name: '' },
    validate: useSchemaValidation(newRunner, (values: { name: string }) => values),
  })
  const add = useMutation({
    mutationFn: addRunner,
    onSuccess: () => client.invalidateQueries({ queryKey: runnersQuery.queryKey }),
  })
  if (add.data)
    return (
      <Stack>
        <SecretText label={t('fleet.token')} secret={add.data.token} />
        <Text size="sm">{t('fleet.start')}</Text>
        <CopyText label={t('fleet.commands')} text={startCommands(add.data.token)} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('common.close')}</Button>
        </Group>
      </Stack>
    )
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        (values) => add.mutate(values),
        () => focusFirstInvalid(),
      )}
    >
      <Stack>
        <TextInput
          label={t('fleet.name')}
          description={t('fleet.nameHelp')}
          withAsterisk
          data-autofocus
          maxLength={64}
          {...form.getInputProps('name')}
        />
        <FormError>{add.isError ? errorText(add.error) : null}</FormError>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={add.isPending}>
            {t('fleet.add')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** The button that adds a judge host, and its dialog. */
export function AddRunner() {
  const { t } = useTranslation()
  const [opened, dialog] = useDisclosure(false)
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlus size={15} aria-hidden="true" />}
        onClick={dialog.open}
      >
        {t('fleet.add')}
      </Button>
      <Dialog opened={opened} onClose={dialog.close} title={t('fleet.add')} size="lg" keepsInput>
        <AddRunnerForm onClose={dialog.close} />
      </Dialog>
    </>
  )
}
