import { Stack, type StackProps } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { focusFirstInvalid } from '../../lib/focus.ts'

interface CheckedFormProps<Values> extends StackProps {
  form: UseFormReturnType<Values>
  /** Called once the values have passed the form's checks. */
  onSend: (values: Values) => void
  children: ReactNode
}

/** A form that validates before it sends, and focuses the first invalid field. */
export function CheckedForm<Values>(props: CheckedFormProps<Values>) {
  const { form, onSend, ...stack } = props
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        (values) => onSend(values),
        () => focusFirstInvalid(),
      )}
    >
      <Stack {...stack} />
    </form>
  )
}
