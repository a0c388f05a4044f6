import { lazy, Suspense } from 'react'
import { usePasswordQuestion } from '../lib/fresh-password.ts'
import { useSession } from '../lib/session.ts'

const PasswordDialog = lazy(async () => ({
  default: (await import('./password-dialog.tsx')).PasswordDialog,
}))

/** Asks for the password over the page when a call needs a fresh one. */
export function PasswordQuestion() {
  const { user } = useSession()
  const isAsked = usePasswordQuestion()
  if (!isAsked || user === null) return null
  return (
    <Suspense>
      <PasswordDialog username={user.username} />
    </Suspense>
  )
}
