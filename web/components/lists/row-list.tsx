import { Box, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './row-list.module.css'

/** A list of rows, used instead of a table with few columns. */
export function RowList({ children }: { children: ReactNode }) {
  return <ul className="app-list">{children}</ul>
}

interface RowProps {
  title: ReactNode
  /** Shown smaller, below the title; side by side if there is room. */
  facts: ReactNode
  action?: ReactNode
}

/** A row of a `RowList`. */
export function Row({ title, facts, action }: RowProps) {
  return (
    <li className={classes.row}>
      <div className={classes.text}>
        <Group gap="4px 10px" fw={500}>
          {title}
        </Group>
        <Group align="stretch" gap="0 16px" mt={2} fz="0.8125rem" c="dimmed">
          {facts}
        </Group>
      </div>
      {action === undefined ? null : <Box flex="none">{action}</Box>}
    </li>
  )
}
