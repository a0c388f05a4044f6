/** Messages of refused fields, in the reader's language. */
import { useTranslation } from 'react-i18next'
import type * as z from 'zod'
import type { FieldError } from '#contract/errors'
import type pageTexts from '../../i18n/pages/english.json'
import { ApiError } from './api-error.ts'
import { FIELD_MESSAGES, toFieldErrors, type FieldMessageCode } from '#contract/fields'
import type { RowMessageCode } from '#contract/people/signup-rows'

/** Messages by the dotted path of their field, as Mantine's forms take them. */
export type FormErrors = Record<string, string>

function isKnown(code: string): code is FieldMessageCode {
  return Object.hasOwn(FIELD_MESSAGES, code)
}

/** Returns a function that turns a field error into its message. */
export function useFieldText(): (error: FieldError) => string {
  const { t, i18n } = useTranslation()
  /** Whether a code is about a row of a file. */
  const isRowCode = (code: string): code is RowMessageCode => i18n.exists(`row.${code}`)
  /** Whether the catalogues translate a code, e.g. of zip entries. */
  const isEntryCode = (code: string): code is keyof typeof pageTexts.entry =>
    i18n.exists(`entry.${code}`)
  return (error) => {
    if (isKnown(error.code)) return t(`field.${error.code}`, { ...error.params })
    if (error.code === 'common_password') return t('password.common')
    if (isRowCode(error.code)) return t(`row.${error.code}`, { ...error.params })
    return isEntryCode(error.code) ? t(`entry.${error.code}`, { ...error.params }) : error.message
  }
}

/** Field errors keyed by dotted path. */
function toFormErrors(errors: FieldError[], fieldText: (error: FieldError) => string): FormErrors {
  return Object.fromEntries(errors.map((error) => [error.path.join('.'), fieldText(error)]))
}

/** A validator for Mantine's forms from a schema of the contract. */
export function useSchemaValidation<Values>(
  schema: z.ZodType,
  toInput: (values: Values) => unknown,
): (values: Values) => FormErrors {
  const fieldText = useFieldText()
  return function validate(values) {
    const input = toInput(values)
    const parsed = schema.safeParse(input)
    if (parsed.success) return {}
    // An empty number field is NaN, which JSON turns into null, and null counts as missing.
    const sent: unknown = JSON.parse(JSON.stringify(input))
    return toFormErrors(toFieldErrors(parsed.error, sent), fieldText)
  }
}

/** Returns a function that gives forms the errors of the refused fields of a failed call; empty for other failures. */
export function useRefusedFields(): (error: unknown) => FormErrors {
  const fieldText = useFieldText()
  return (error) => (error instanceof ApiError ? toFormErrors(error.fieldErrors, fieldText) : {})
}
