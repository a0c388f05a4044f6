import { Group } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import classes from './section.module.css'

interface SectionProps {
  title: string
  /** One or two sentences below the heading. */
  help?: ReactNode
  /** Buttons beside the heading. */
  actions?: ReactNode
  /** Recedes behind the page's subject: a small heading, no card. */
  isQuiet?: boolean
  children: ReactNode
}

/** A part of a page with a heading: a card, unless it recedes. */
export function Section({ title, help, actions, isQuiet = false, children }: SectionProps) {
  const id = useId()
  return (
    <section className={isQuiet ? classes.quiet : `app-card ${classes.card}`} aria-labelledby={id}>
      <Group justify="space-between" gap="8px 16px" mb={isQuiet ? 4 : 12}>
        <h2 id={id} className={classes.title}>
          {title}
        </h2>
        {actions}
      </Group>
      {help === undefined ? null : <p className={classes.help}>{help}</p>}
      {children}
    </section>
  )
}
