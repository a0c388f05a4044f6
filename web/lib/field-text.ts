/** Refused fields as messages beside the inputs, in the reader's language and the spec's words. */
import { useTranslation } from 'react-i18next'
import type * as z from 'zod'
import type { FieldError } from '#contract/errors'
import { FIELD_MESSAGES, toFieldErrors, type FieldMessageCode } from '#contract/fields'

/** Messages by the dotted path of their field, as Mantine's forms take them. */
export type FormErrors = Record<string, string>

function isKnown(code: string): code is FieldMessageCode {
  return code in FIELD_MESSAGES
}

/** A function from a field error to its message. */
export function useFieldText(): (error: FieldError) => string {
  const { t } = useTranslation()
  return (error) =>
    isKnown(error.code) ? t(`field.${error.code}`, { ...error.params }) : error.message
}

/** Field errors keyed by dotted path. */
export function toFormErrors(
  errors: FieldError[],
  fieldText: (error: FieldError) => string,
): FormErrors {
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
    return parsed.success ? {} : toFormErrors(toFieldErrors(parsed.error, input), fieldText)
  }
}
