import type { ReactNode } from 'react'
import classes from './facts.module.css'

interface Fact {
  label: string
  value: ReactNode
}

/** Short facts side by side, each with its label. */
export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className={`app-card ${classes.facts}`}>
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
