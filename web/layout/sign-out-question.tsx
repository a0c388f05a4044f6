import { lazy, Suspense, useEffect } from 'react'
import { loadPageTexts } from '../lib/i18n.ts'
import { useSession } from '../lib/session.ts'
import { codeAtStake } from './code-at-stake.ts'

const SignOutDialog = lazy(async () => {
  const [{ SignOutDialog: Loaded }] = await Promise.all([
    import('./sign-out-dialog.tsx'),
    loadPageTexts(),
  ])
  return { default: Loaded }
})

/** Asks before code that was never submitted is deleted by signing out. */
export function SignOutQuestion() {
  const username = useSession().user?.username
  const codes = codeAtStake.use()
  // Nobody is asked about the code of whoever was signed in before.
  useEffect(() => () => codeAtStake.set(null), [username])
  if (codes === null) return null
  return (
    <Suspense>
      <SignOutDialog codes={codes} />
    </Suspense>
  )
}
