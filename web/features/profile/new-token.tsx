import { Checkbox, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { API_TOKENS } from '#contract/limits'
import {
  createdToken,
  newToken,
  TOKEN_SCOPES,
  type NewToken,
  type TokenScope,
} from '#contract/people/tokens'
import { call } from '../../lib/api/call.ts'
import { CheckedForm } from '../../components/forms/checked-form.tsx'
import { DialogButton } from '../../components/overlays/dialog-button.tsx'
import { FormButtons } from '../../components/forms/form-buttons.tsx'
import { FormError } from '../../components/forms/form-error.tsx'
import { SecretCreated } from '../../components/display/secret-text.tsx'
import { useSchemaValidation } from '../../lib/api/field-text.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { tokensQuery } from './api.ts'

/** Scopes that only admins can use. */
const OF_ADMINS = new Set<TokenScope>(['admin', 'queue'])

function NewTokenForm({ isAdmin, onClose }: { isAdmin: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const form = useForm<NewToken>({
    initialValues: { name: '', scopes: ['read'], days: API_TOKENS.daysDefault },
    validate: useSchemaValidation<NewToken>(newToken, (values) => values),
  })
  const create = useMutation({
    mutationFn: (body: NewToken) => call('POST /auth/tokens', { body, as: createdToken }),
    onSuccess: () => refresh(tokensQuery.queryKey),
  })
  if (create.data)
    return (
      <SecretCreated label={t('tokens.secret')} secret={create.data.token} onClose={onClose}>
        <Text size="sm">{t('tokens.use')}</Text>
      </SecretCreated>
    )
  const scopes = TOKEN_SCOPES.filter((scope) => isAdmin || !OF_ADMINS.has(scope))
  return (
    <CheckedForm form={form} onSend={(values) => create.mutate(values)}>
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
      <FormError error={create.error} />
      <FormButtons label={t('tokens.create')} isSending={create.isPending} onCancel={onClose} />
    </CheckedForm>
  )
}

/** The button that creates an API token, and its dialog. */
export function NewToken({ isAdmin }: { isAdmin: boolean }) {
  const { t } = useTranslation()
  return (
    <DialogButton
      label={t('tokens.new')}
      icon={<IconPlus size={15} aria-hidden="true" />}
      buttonSize="xs"
      keepsInput
    >
      {(close) => <NewTokenForm isAdmin={isAdmin} onClose={close} />}
    </DialogButton>
  )
}
