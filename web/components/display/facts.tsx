import type { ReactNode } from 'react'
import classes from './facts.module.css'

interface Fact {
  label: string
  value: ReactNode
  /** A number the page is about: shown large. */
  isKey?: boolean
}

/** Short facts side by side, each with its label. */
export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ label, value, isKey }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className={isKey ? 'app-figure' : undefined}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
