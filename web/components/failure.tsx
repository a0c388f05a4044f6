import { Alert, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useErrorText } from '../lib/error-text.ts'

interface FailureProps {
  title: string
  error: unknown
  /** The way to solve it. */
  children?: ReactNode
}

/** What went wrong, in the reader's language. */
export function Failure({ title, error, children }: FailureProps) {
  const errorText = useErrorText()
  return (
    <Alert color="red" icon={<IconAlertCircle />} title={title}>
      <Text size="sm">{errorText(error)}</Text>
      {children}
    </Alert>
  )
}
