import { Button, Checkbox, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { API_TOKENS } from '#contract/limits'
import { newToken, TOKEN_SCOPES, type NewToken } from '#contract/tokens'
import { Dialog } from '../../components/dialog.tsx'
import { FormError } from '../../components/form-error.tsx'
import { SecretText } from '../../components/secret-text.tsx'
import { useErrorText } from '../../lib/error-text.ts'
import { useSchemaValidation } from '../../lib/field-text.ts'
import { focusFirstInvalid } from '../../lib/focus.ts'
import { createToken, tokensQuery } from './api.ts'

function NewTokenForm({ isAdmin, onClose }: { isAdmin: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const errorText = useErrorText()
  const form = useForm<NewToken>({
    initialValues: { name: '', scopes: ['read'], days: API_TOKENS.daysDefault },
    validate: useSchemaValidation<NewToken>(newToken, (values) => values),
  })
  const create = useMutation({
    mutationFn: createToken,
    onSuccess: () => client.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  })
  if (create.data)
    return (
      <Stack>
        <SecretText label={t('tokens.secret')} secret={create.data.token} />
        <Text size="sm">{t('tokens.use')}</Text>
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('common.close')}</Button>
        </Group>
      </Stack>
    )
  const scopes = TOKEN_SCOPES.filter((scope) => isAdmin || scope !== 'admin')
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        (values) => create.mutate(values),
        () => focusFirstInvalid(),
      )}
    >
      <Stack>
        <TextInput
          label={t('tokens.name')}
          description={t('tokens.nameHelp')}
          withAsterisk
          data-autofocus
          maxLength={API_TOKENS.name}
          {...form.getInputProps('name')}
        />
        <Checkbox.Group
          label={t('tokens.scopes')}
          withAsterisk
          {...form.getInputProps('scopes')}
          error={form.values.scopes.length === 0 ? form.errors.scopes : null}
        >
          <Stack gap="xs" mt="xs">
            {scopes.map((scope) => (
              <Checkbox
                key={scope}
                value={scope}
                label={t(`tokens.scope.${scope}`)}
                description={t(`tokens.scopeHelp.${scope}`)}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <NumberInput
          label={t('tokens.days')}
          withAsterisk
          min={1}
          max={API_TOKENS.daysMax}
          allowDecimal={false}
          clampBehavior="none"
          {...form.getInputProps('days')}
        />
        <FormError>{create.isError ? errorText(create.error) : null}</FormError>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t('tokens.create')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** The button that makes an API token, and its dialog. */
export function NewToken({ isAdmin }: { isAdmin: boolean }) {
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
        {t('tokens.new')}
      </Button>
      <Dialog opened={opened} onClose={dialog.close} title={t('tokens.new')} keepsInput>
        <NewTokenForm isAdmin={isAdmin} onClose={dialog.close} />
      </Dialog>
    </>
  )
}
