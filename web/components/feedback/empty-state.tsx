import { Stack, Text } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  Icon: Icon
  text: string
  /** A link or button for the next thing to do, if the reader may do it. */
  action?: ReactNode
}

/** The message of an empty list. */
export function EmptyState({ Icon, text, action }: EmptyStateProps) {
  return (
    <Stack className="app-card" align="center" gap={12} px={20} py={44} ta="center">
      <Icon size={34} stroke={1.3} aria-hidden="true" color="var(--mantine-color-dimmed)" />
      <Text maw="46ch" c="dimmed">
        {text}
      </Text>
      {action}
    </Stack>
  )
}
