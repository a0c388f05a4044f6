import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useErrorText } from '../../lib/api/error-text.ts'

interface FormErrorProps {
  /** Of the failed call; null: it has not failed, or says so elsewhere. */
  error?: unknown
  /** Another text instead. */
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
