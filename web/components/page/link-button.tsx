import { Button } from '@mantine/core'
import type { Icon as TablerIcon } from '@tabler/icons-react'
import { Link } from 'react-router'

interface LinkButtonProps {
  to: string
  Icon: TablerIcon
  label: string
  /** `filled` marks the main action of a page. */
  variant?: 'default' | 'filled'
  /** Called before the link is followed. */
  onClick?: () => void
}

/** A link as a button with an icon. */
export function LinkButton({ to, Icon, label, variant = 'default', onClick }: LinkButtonProps) {
  return (
    <Button
      component={Link}
      to={to}
      variant={variant}
      onClick={onClick}
      leftSection={<Icon size={16} aria-hidden="true" />}
    >
      {label}
    </Button>
  )
}
