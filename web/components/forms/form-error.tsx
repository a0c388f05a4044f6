import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useErrorText } from '../../lib/api/error-text.ts'

interface FormErrorProps {
  /** The error of a failed call; null: it has not failed, or another element shows the error. */
  error?: unknown
  /** A text to show instead of the error's. */
  children?: ReactNode
}

/** The error of a short form, above its button; screen readers announce it. */
export function FormError({ error = null, children }: FormErrorProps) {
  const errorText = useErrorText()
  const text = children ?? (error === null ? null : errorText(error))
  return (
    <div role="alert">
      {text ? (
        <Text size="sm" c="var(--mantine-color-error)">
          {text}
        </Text>
      ) : null}
    </div>
  )
}
