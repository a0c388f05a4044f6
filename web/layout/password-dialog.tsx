import { PasswordInput, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { confirmPasswordBody, type ConfirmPasswordBody } from '#contract/people/auth'
import { TEXT_LIMITS } from '#contract/limits'
import { call } from '../lib/api/call.ts'
import { CheckedForm } from '../components/forms/checked-form.tsx'
import { Dialog } from '../components/overlays/dialog.tsx'
import { FormButtons } from '../components/forms/form-buttons.tsx'
import { FormError } from '../components/forms/form-error.tsx'
import { isRefusal } from '../lib/api/api-error.ts'
import { useSchemaValidation } from '../lib/api/field-text.ts'
import { focusFirstInvalid } from '../lib/focus.ts'
import { answerPasswordQuestion } from '../lib/api/fresh-password.ts'

function close() {
  answerPasswordQuestion(false)
}

/** Moves the focus back into the dialog below, whose busy button has lost it. */
function focusDialogBelow(): void {
  if (document.activeElement !== document.body) return
  const below = [...document.querySelectorAll<HTMLElement>('[role="dialog"]')].at(-1)
  below?.focus()
}

/** Asks for the password again; then the waiting calls go on. */
export function PasswordDialog({ username }: { username: string }) {
  const { t } = useTranslation()
  const form = useForm<ConfirmPasswordBody>({
    initialValues: { password: '' },
    validate: useSchemaValidation<ConfirmPasswordBody>(confirmPasswordBody, (values) => values),
  })
  const confirm = useMutation({
    mutationFn: (body: ConfirmPasswordBody) => call('POST /auth/confirm-password', { body }),
    onSuccess: () => answerPasswordQuestion(true),
    onError: (error) => {
      if (isRefusal(error, 'wrong_password')) form.setFieldError('password', t('password.wrong'))
      focusFirstInvalid()
    },
  })
  useEffect(() => () => void setTimeout(focusDialogBelow), [])
  const isAtField = form.errors['password'] !== undefined
  return (
    <Dialog opened onClose={close} title={t('password.confirmTitle')}>
      <CheckedForm form={form} onSend={(values) => confirm.mutate(values)}>
        <Text size="sm">{t('password.confirmText')}</Text>
        {/* Tells the password manager whose password this is. */}
        <input type="text" value={username} autoComplete="username" readOnly hidden />
        <PasswordInput
          label={t('password.current')}
          withAsterisk
          data-autofocus
          autoComplete="current-password"
          maxLength={TEXT_LIMITS.passwordMax}
          visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
          {...form.getInputProps('password')}
        />
        <FormError error={isAtField ? null : confirm.error} />
        <FormButtons label={t('password.confirm')} isSending={confirm.isPending} onCancel={close} />
      </CheckedForm>
    </Dialog>
  )
}
