import { Alert, List } from '@mantine/core'
import { ApiError } from '../../lib/api-error.ts'
import { useFieldText } from '../../lib/field-text.ts'

/** The entries or fields that the server refused. */
export function FieldErrorList({ error }: { error: unknown }) {
  const fieldText = useFieldText()
  const errors = error instanceof ApiError ? error.fieldErrors : []
  if (errors.length === 0) return null
  return (
    <Alert color="red">
      <List size="sm">
        {errors.map((item, index) => (
          <List.Item key={`${index}-${item.path.join('/')}`}>
            <code>{item.path.join('/')}</code> {fieldText(item)}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
