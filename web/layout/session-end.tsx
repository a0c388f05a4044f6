import { lazy, Suspense, useEffect } from 'react'
import { useLocation } from 'react-router'
import { isPublicPath } from '../lib/navigation/redirect.ts'
import { forgetSession, sessionEnded, useSession } from '../lib/session/session.ts'

const SessionDialog = lazy(async () => ({
  default: (await import('./session-dialog.tsx')).SessionDialog,
}))

/** When a session ends, a dialog over the page asks to sign in again; public pages change to what guests see. */
export function SessionEnd() {
  const { pathname } = useLocation()
  const { user } = useSession()
  const ended = sessionEnded.use()
  const asGuest = ended && isPublicPath(pathname)
  useEffect(() => {
    if (asGuest) void forgetSession()
  }, [asGuest])
  if (!ended || asGuest || user === null) return null
  return (
    <Suspense>
      <SessionDialog username={user.username} />
    </Suspense>
  )
}
