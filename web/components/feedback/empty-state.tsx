import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './empty-state.module.css'

interface EmptyStateProps {
  Icon: Icon
  text: string
  /** The next thing to do, for those who may. */
  action?: ReactNode
}

/** The message of an empty list. */
export function EmptyState({ Icon, text, action }: EmptyStateProps) {
  return (
    <div className={`app-card ${classes.box}`}>
      <Icon size={34} stroke={1.3} aria-hidden="true" className={classes.icon} />
      <p className={classes.text}>{text}</p>
      {action}
    </div>
  )
}
