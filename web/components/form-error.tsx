import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** Why a short form was refused, above its button; read out when it comes. */
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
