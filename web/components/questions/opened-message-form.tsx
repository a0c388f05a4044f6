import { lazy } from 'react'
import { FallbackBoundary } from '../feedback/fallback-boundary.tsx'
import { RowsSkeleton } from '../feedback/rows-skeleton.tsx'
import type { MessageFormProps } from './message-form.tsx'

const MessageForm = lazy(async () => ({
  default: (await import('./message-form.tsx')).MessageForm,
}))

/** The form of a message, which is loaded when it is opened. */
export function OpenedMessageForm(props: MessageFormProps) {
  return (
    <FallbackBoundary fallback={null} loading={<RowsSkeleton rows={1} height={150} />}>
      <MessageForm {...props} />
    </FallbackBoundary>
  )
}
