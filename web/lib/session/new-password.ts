/** Validation of a new password and its repetition. */
import { useTranslation } from 'react-i18next'
import type * as z from 'zod'
import { useSchemaValidation, type FormErrors } from '../api/field-text.ts'

export interface NewPasswordValues {
  newPassword: string
  repeat: string
}

/** `useSchemaValidation` that also compares both passwords. */
export function useNewPasswordValidation<Values extends NewPasswordValues>(
  schema: z.ZodType,
  toInput: (values: Values) => unknown,
): (values: Values) => FormErrors {
  const { t } = useTranslation()
  const validate = useSchemaValidation(schema, toInput)
  return function validateBoth(values) {
    const errors = validate(values)
    if (values.newPassword === values.repeat) return errors
    return { ...errors, repeat: t('password.mismatch') }
  }
}

/** Renames the field `password` of a new account to `newPassword`, the forms' name for it. */
export function underOneName<T>({ password, ...rest }: Record<string, T>): Record<string, T> {
  return password === undefined ? rest : { newPassword: password, ...rest }
}
