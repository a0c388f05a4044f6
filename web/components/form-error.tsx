import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** The error of a short form, above its button; screen readers announce it. */
export function FormError({ children }: { children: ReactNode }) {
  return (
    <div role="alert">
      {children ? (
        <Text size="sm" c="var(--mantine-color-error)">
          {children}
        </Text>
      ) : null}
    </div>
  )
}
