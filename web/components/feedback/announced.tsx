import type { ReactNode } from 'react'

interface AnnouncedProps {
  /** Whether screen readers hear the text; one that counts would be read out at each step. */
  when: boolean
  className?: string | undefined
  children: ReactNode
}

/** How something under way stands: shown all the time, and read out once, when it is over. */
export function Announced({ when, className, children }: AnnouncedProps) {
  return (
    <>
      {when ? null : <span className={className}>{children}</span>}
      {/* There before its text, else that is not heard; empty, it takes no room. */}
      <output className={className} style={when ? undefined : { position: 'absolute' }}>
        {when ? children : null}
      </output>
    </>
  )
}
