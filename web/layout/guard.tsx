import { Navigate, Outlet, useLocation } from 'react-router'
import { PageSkeleton } from '../components/feedback/page-skeleton.tsx'
import { isPublicPath, signInPath } from '../lib/navigation/redirect.ts'
import { useSession } from '../lib/session/session.ts'

/** Shows the page to those who may see it, and asks guests to sign in. */
export function Guard() {
  const { pathname, search, hash } = useLocation()
  const { state } = useSession()
  if (isPublicPath(pathname) || state === 1) return <Outlet />
  if (state === -1) return <PageSkeleton />
  return <Navigate to={signInPath(`${pathname}${search}${hash}`)} replace />
}
