import { PasswordInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { changePasswordBody } from '#contract/people/auth'
import { TEXT_LIMITS } from '#contract/limits'
import { call } from '../../lib/api/call.ts'
import { CheckedForm } from '../../components/forms/checked-form.tsx'
import { FormButtons } from '../../components/forms/form-buttons.tsx'
import { FormError } from '../../components/forms/form-error.tsx'
import { NewPasswordFields } from '../../components/forms/new-password-fields.tsx'
import { PASSWORD_CHANGED } from '../../layout/use-sign-out-on-arrival.ts'
import { isLimited, isRefusal } from '../../lib/api/api-error.ts'
import { useErrorText } from '../../lib/api/error-text.ts'
import { useRefusedFields } from '../../lib/api/field-text.ts'
import { focusFirstInvalid } from '../../lib/focus.ts'
import { useNewPasswordValidation, type NewPasswordValues } from '../../lib/session/new-password.ts'
import { paths } from '../../paths.ts'

interface PasswordValues extends NewPasswordValues {
  oldPassword: string
}

function toBody({ oldPassword, newPassword }: PasswordValues) {
  return { oldPassword, newPassword }
}

/** Changes the user's password, which ends every session, this one too. */
export function ChangePassword({ username }: { username: string }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const errorText = useErrorText()
  const refusedFields = useRefusedFields()
  const form = useForm<PasswordValues>({
    initialValues: { oldPassword: '', newPassword: '', repeat: '' },
    validate: useNewPasswordValidation<PasswordValues>(changePasswordBody, toBody),
  })
  const change = useMutation({
    mutationFn: (values: PasswordValues) =>
      call('POST /auth/change-password', { body: toBody(values) }),
    onSuccess: () => navigate(paths.home(), { state: PASSWORD_CHANGED }),
    onError: (error) => {
      const isWrong = isRefusal(error, 'wrong_password')
      form.setErrors(isWrong ? { oldPassword: t('password.wrong') } : refusedFields(error))
      focusFirstInvalid()
    },
  })
  const failure = isLimited(change.error) ? errorText(change.error) : t('password.failed')
  const isAtField = Object.keys(form.errors).length > 0
  return (
    <CheckedForm form={form} onSend={(values) => change.mutate(values)}>
      {/* Tells the password manager whose password this is. */}
      <input type="text" value={username} autoComplete="username" readOnly hidden />
      <PasswordInput
        label={t('password.current')}
        withAsterisk
        autoComplete="current-password"
        maxLength={TEXT_LIMITS.passwordMax}
        visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
        {...form.getInputProps('oldPassword')}
      />
      <NewPasswordFields form={form} />
      <FormError>{change.isError && !isAtField ? failure : null}</FormError>
      <FormButtons label={t('password.change')} isSending={change.isPending} />
    </CheckedForm>
  )
}
