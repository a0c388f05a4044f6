import { lazy, useEffect } from 'react'
import { FallbackBoundary } from '../components/feedback/fallback-boundary.tsx'
import { useAskedQuestion, type Question } from '../lib/confirm.ts'

const ConfirmDialog = lazy(async () => ({
  default: (await import('./confirm-dialog.tsx')).ConfirmDialog,
}))

interface BrowsersQuestionProps {
  question: Question & { answer: (isYes: boolean) => void }
}

/** The browser's own question: without a network the dialog may not load, and typed text must not be lost without a question. */
function BrowsersQuestion({ question: { title, text, answer } }: BrowsersQuestionProps) {
  useEffect(() => answer(window.confirm(`${title} ${text}`)), [title, text, answer])
  return null
}

/** Asks over the page before something is lost. */
export function ConfirmQuestion() {
  const question = useAskedQuestion()
  if (question === null) return null
  return (
    <FallbackBoundary fallback={<BrowsersQuestion question={question} />}>
      <ConfirmDialog question={question} />
    </FallbackBoundary>
  )
}
