import { Button, Popover } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDots } from '@tabler/icons-react'
import { useRef, type MouseEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './more-menu.module.css'

/** A button that opens a menu of a page's less common actions: buttons, links, and buttons that open a dialog. */
export function MoreMenu({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const [opened, menu] = useDisclosure(false)
  const button = useRef<HTMLButtonElement>(null)
  const dropdown = useRef<HTMLDivElement>(null)

  /** Closes the menu first, so that a dialog gives the focus back to a visible button. */
  function leave(event: MouseEvent<HTMLElement>) {
    // Clicks inside the dialogs that these buttons open come here, too.
    if (!(event.target instanceof Node) || !event.currentTarget.contains(event.target)) return
    button.current?.focus()
    menu.close()
  }

  /** Closes the menu after Escape, or after a click outside, which has already moved the focus. */
  function dismiss() {
    if (dropdown.current?.contains(document.activeElement)) button.current?.focus()
    menu.close()
  }

  return (
    <Popover
      opened={opened}
      onDismiss={dismiss}
      position="bottom-end"
      shadow="md"
      trapFocus
      // Mantine's other mode, a hidden React `Activity`, would also hide the dialogs that these buttons have opened.
      keepMounted
      keepMountedMode="display-none"
    >
      <Popover.Target>
        <Button
          ref={button}
          variant="default"
          leftSection={<IconDots size={16} aria-hidden="true" />}
          onClick={menu.toggle}
        >
          {t('common.more')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown ref={dropdown} className={classes.menu} onClickCapture={leave}>
        {children}
      </Popover.Dropdown>
    </Popover>
  )
}

/** Separates the actions above from a dangerous one. */
export function MenuDivider() {
  return <hr className={classes.divider} />
}
