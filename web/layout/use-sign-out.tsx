import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useSession } from '../lib/session/session.ts'
import { listUnsubmitted, type UnsubmittedCode } from '../lib/drafts/unsubmitted.ts'
import { paths } from '../paths.ts'
import { SignOutDialog } from './sign-out-dialog.tsx'
import { SIGN_OUT } from './use-sign-out-on-arrival.ts'

interface Asked {
  username: string
  codes: UnsubmittedCode[]
}

/** Signs out. If this would delete code that was never submitted, the `question` is asked first. */
export function useSignOut() {
  const navigate = useNavigate()
  const { user } = useSession()
  const [asked, setAsked] = useState<Asked | null>(null)

  function leave() {
    setAsked(null)
    void navigate(paths.home(), { state: SIGN_OUT })
  }

  function signOut() {
    if (user === null) return
    const { username } = user
    const codes = listUnsubmitted(username)
    if (codes.length > 0) setAsked({ username, codes })
    else leave()
  }

  // A person is not asked about the previous person's code.
  const question =
    asked !== null && asked.username === user?.username ? (
      <SignOutDialog codes={asked.codes} onClose={() => setAsked(null)} onSignOut={leave} />
    ) : null
  return { signOut, question }
}
