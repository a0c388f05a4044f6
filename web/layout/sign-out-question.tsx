import { lazy, Suspense } from 'react'
import { codeAtStake } from './code-at-stake.ts'

const SignOutDialog = lazy(async () => ({
  default: (await import('./sign-out-dialog.tsx')).SignOutDialog,
}))

/** Asks before code that was never submitted is deleted by signing out. */
export function SignOutQuestion() {
  const codes = codeAtStake.use()
  if (codes === null) return null
  return (
    <Suspense>
      <SignOutDialog codes={codes} />
    </Suspense>
  )
}
