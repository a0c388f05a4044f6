import { lazy, Suspense, useEffect } from 'react'
import { answerPasswordQuestion, usePasswordQuestion } from '../lib/api/fresh-password.ts'
import { useSession } from '../lib/session/session.ts'

const PasswordDialog = lazy(async () => ({
  default: (await import('./password-dialog.tsx')).PasswordDialog,
}))

/** Asks for the password over the page when a call needs a fresh one. */
export function PasswordQuestion() {
  const { user } = useSession()
  const isAsked = usePasswordQuestion()
  const isNobody = user === null
  // The next user must not be asked for the previous user's call.
  useEffect(() => {
    if (isAsked && isNobody) answerPasswordQuestion(false)
  }, [isAsked, isNobody])
  if (!isAsked || isNobody) return null
  return (
    <Suspense>
      <PasswordDialog username={user.username} />
    </Suspense>
  )
}
