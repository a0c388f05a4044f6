import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { MarkdownField } from '../../components/markdown-field.tsx'
import type { ProblemValues } from './form-values.ts'

const PARTS = ['description', 'input', 'output', 'hint'] as const

/** The statement's parts, each with its preview. */
export function StatementFields({ form }: { form: UseFormReturnType<ProblemValues> }) {
  const { t } = useTranslation()
  return PARTS.map((part) => (
    <MarkdownField
      key={part}
      label={t(`problem.${part}`)}
      minRows={part === 'description' ? 8 : 3}
      value={form.values[part]}
      onChange={(value) => form.setFieldValue(part, value)}
      error={form.errors[`description.${part}`]}
    />
  ))
}
