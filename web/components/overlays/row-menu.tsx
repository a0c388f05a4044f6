import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useRef, type ReactNode } from 'react'

interface RowMenuProps {
  /** Names the button. */
  label: string
  disabled?: boolean
  /** Items of Mantine's `Menu`. */
  children: ReactNode
}

/** A button at the end of a row, and the menu with what can be done to the row. */
export function RowMenu({ label, disabled = false, children }: RowMenuProps) {
  const button = useRef<HTMLButtonElement>(null)
  return (
    // The position is `fixed`, because the box around a table would cut the menu off.
    <Menu position="bottom-end" floatingStrategy="fixed" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon ref={button} disabled={disabled} aria-label={label}>
          <IconDots size={18} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      {/* The button takes the focus, so that a dialog gives it back to a visible element. */}
      <Menu.Dropdown onClickCapture={() => button.current?.focus()}>{children}</Menu.Dropdown>
    </Menu>
  )
}
