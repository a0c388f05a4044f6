import { ActionIcon, Group } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import classes from './settings.module.css'

interface MovableProps {
  title: string
  index: number
  /** How many there are. */
  count: number
  onMove: (to: number) => void
  /** Buttons beside those that move. */
  actions?: ReactNode
  children: ReactNode
}

/** Fields with a place in an order. Buttons move them, and so do Alt and the arrow keys in any of the fields. */
export function Movable({ title, index, count, onMove, actions, children }: MovableProps) {
  const { t } = useTranslation()

  function move(by: -1 | 1) {
    const to = index + by
    if (to < 0 || to >= count) return
    const focused = document.activeElement
    flushSync(() => onMove(to))
    // A browser takes the focus from an element that moves in the page.
    if (focused instanceof HTMLElement) focused.focus()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!event.altKey || !/^Arrow(?:Up|Down)$/.test(event.key)) return
    event.preventDefault()
    event.stopPropagation()
    move(event.key === 'ArrowUp' ? -1 : 1)
  }

  const button = (label: string, by: -1 | 1, Icon: typeof IconArrowUp) => {
    const isEnd = index + by < 0 || index + by >= count
    return (
      // A disabled button would lose the focus at the end of the list.
      <ActionIcon
        variant="default"
        size={30}
        aria-label={label}
        title={label}
        aria-disabled={isEnd || undefined}
        data-disabled={isEnd || undefined}
        onClick={() => move(by)}
      >
        <Icon size={16} aria-hidden="true" />
      </ActionIcon>
    )
  }

  return (
    <fieldset className={classes.item} onKeyDownCapture={onKeyDown}>
      <legend className={classes.legend}>{title}</legend>
      {children}
      <Group gap={6}>
        {button(t('gradebook.settings.up', { name: title }), -1, IconArrowUp)}
        {button(t('gradebook.settings.down', { name: title }), 1, IconArrowDown)}
        {actions}
      </Group>
    </fieldset>
  )
}
