import type { ReactNode } from 'react'

interface AnnouncedProps {
  /** Whether screen readers hear the text. If a text counts up, screen readers would read it out at each step. */
  when: boolean
  className?: string | undefined
  children: ReactNode
}

/** The state of work under way: always shown, but read out only once, when the work is over. */
export function Announced({ when, className, children }: AnnouncedProps) {
  return (
    <>
      {when ? null : <span className={className}>{children}</span>}
      {/* Rendered before its text arrives, else screen readers miss it; takes no room while empty. */}
      <output className={className} style={when ? undefined : { position: 'absolute' }}>
        {when ? children : null}
      </output>
    </>
  )
}
