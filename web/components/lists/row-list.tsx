import type { ReactNode } from 'react'
import classes from './row-list.module.css'

/** A list of rows, for what would be a table with too few columns. */
export function RowList({ children }: { children: ReactNode }) {
  return <ul className="app-list">{children}</ul>
}

interface RowProps {
  title: ReactNode
  /** Smaller, below the title; side by side where there is room. */
  facts: ReactNode
  action?: ReactNode
}

/** One of them. */
export function Row({ title, facts, action }: RowProps) {
  return (
    <li className={classes.row}>
      <div className={classes.text}>
        <div className={classes.title}>{title}</div>
        <div className={classes.facts}>{facts}</div>
      </div>
      {action === undefined ? null : <div className={classes.action}>{action}</div>}
    </li>
  )
}
