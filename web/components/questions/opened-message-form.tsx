import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { useCourse } from '../../lib/queries/course.ts'
import { FallbackBoundary } from '../feedback/fallback-boundary.tsx'
import { RowsSkeleton } from '../feedback/rows-skeleton.tsx'
import type { MessageFormProps } from './message-form.tsx'

const MessageForm = lazy(async () => ({
  default: (await import('./message-form.tsx')).MessageForm,
}))

/** The form of a message, which is loaded when it is opened. In a closed course, students read why there is none. */
export function OpenedMessageForm(props: MessageFormProps) {
  const { t } = useTranslation()
  const { may } = useCourse()
  if (!may('question.ask')) return <p>{t('error.course_closed')}</p>
  return (
    <FallbackBoundary fallback={null} loading={<RowsSkeleton rows={1} height={150} />}>
      <MessageForm {...props} />
    </FallbackBoundary>
  )
}
