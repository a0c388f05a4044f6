import { lazy } from 'react'
import { FallbackBoundary } from '../feedback/fallback-boundary.tsx'
import type { MisplacedNotesProps } from './misplaced-notes.tsx'

const MisplacedNotes = lazy(async () => ({
  default: (await import('./misplaced-notes.tsx')).MisplacedNotes,
}))

/** Notes that help beside a compiler's message; loaded with the first message. */
export function CompileNotes(props: MisplacedNotesProps) {
  return (
    <FallbackBoundary fallback={null}>
      <MisplacedNotes {...props} />
    </FallbackBoundary>
  )
}
