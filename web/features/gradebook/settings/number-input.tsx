import { NumberInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { toNumberField } from '../../../lib/format/number-field.ts'
import type { SettingsValues } from './settings-values.ts'

type NumberPath =
  | `groups.${number}.${'weight' | 'dropLowest' | 'capPercent'}`
  | `columns.${number}.${'max' | 'weight'}`
  | 'total.outOf'

interface SettingsNumberProps {
  form: UseFormReturnType<SettingsValues>
  path: NumberPath
  label: string
  description?: string
  /** What an empty field means. */
  placeholder?: string
  max: number
  min?: number
  /** Whether it takes two decimals. */
  isPoints?: boolean
  suffix?: string
}

/** A number of the form. */
export function SettingsNumber(props: SettingsNumberProps) {
  const { form, path, isPoints = false, min = 0, ...input } = props
  return (
    <NumberInput
      {...input}
      min={min}
      clampBehavior="none"
      {...(isPoints ? { decimalScale: 2 } : { allowDecimal: false })}
      {...form.getInputProps(path)}
      onChange={(value) => form.setFieldValue(path, toNumberField(value))}
    />
  )
}
