import { PasswordInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { TEXT_LIMITS } from '#contract/limits'
import type { NewPasswordValues } from '../../lib/session/new-password.ts'

interface NewPasswordFieldsProps<Values extends NewPasswordValues> {
  form: UseFormReturnType<Values>
  /** A sentence to add to the one about the minimum length. */
  help?: string
  required?: boolean
}

/** The new password and its repetition. */
export function NewPasswordFields<Values extends NewPasswordValues>(
  props: NewPasswordFieldsProps<Values>,
) {
  const { form, help, required = true } = props
  const { t } = useTranslation()
  const length = t('password.length', { min: TEXT_LIMITS.passwordMin })
  const shared = {
    withAsterisk: required,
    autoComplete: 'new-password',
    maxLength: TEXT_LIMITS.passwordMax,
    visibilityToggleButtonProps: { 'aria-label': t('signIn.showPassword') },
  }
  return (
    <>
      <PasswordInput
        label={t('password.new')}
        description={help === undefined ? length : `${length} ${help}`}
        {...shared}
        {...form.getInputProps('newPassword')}
      />
      <PasswordInput label={t('password.repeat')} {...shared} {...form.getInputProps('repeat')} />
    </>
  )
}
