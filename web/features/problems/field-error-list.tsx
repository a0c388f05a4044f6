import { Alert, List, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { FieldError } from '#contract/errors'
import { useFieldText } from '../../lib/field-text.ts'

interface FieldErrorListProps {
  title?: string
  errors: FieldError[]
  /** How many are shown. */
  most?: number
}

/** Refused fields of the form, or entries of a zip. */
export function FieldErrorList({ title, errors, most = errors.length }: FieldErrorListProps) {
  const { t } = useTranslation()
  const fieldText = useFieldText()
  if (errors.length === 0) return null
  return (
    <Alert color="red" title={title}>
      <List size="sm">
        {errors.slice(0, most).map((error, index) => (
          <List.Item key={`${index}-${error.path.join('/')}`}>
            <code>{error.path.join('/')}</code> {fieldText(error)}
          </List.Item>
        ))}
      </List>
      {errors.length > most ? (
        <Text size="sm">{t('testData.more', { count: errors.length - most })}</Text>
      ) : null}
    </Alert>
  )
}
