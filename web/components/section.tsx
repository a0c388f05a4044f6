import { useId, type ReactNode } from 'react'
import classes from './section.module.css'

interface SectionProps {
  title: string
  /** One or two sentences below the heading. */
  help?: ReactNode
  /** Buttons beside the heading. */
  actions?: ReactNode
  children: ReactNode
}

/** A card with a heading. */
export function Section({ title, help, actions, children }: SectionProps) {
  const id = useId()
  return (
    <section className={`app-card ${classes.card}`} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id} className={classes.title}>
          {title}
        </h2>
        {actions}
      </div>
      {help === undefined ? null : <p className={classes.help}>{help}</p>}
      {children}
    </section>
  )
}
