import { useEffect } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import { forgetSession, signOut } from '../lib/session/session.ts'
import { paths } from '../paths.ts'

/** Navigation state: sign out on arriving at home. */
export const SIGN_OUT = 'sign-out'
/** Navigation state: the password was changed, which has ended the session. */
export const PASSWORD_CHANGED = 'password-changed'

/** Whether the user is signing out; then the user's data are no longer read. */
export function useIsLeaving(): boolean {
  const { state } = useLocation()
  const arrivedBy = useNavigationType()
  // The browser keeps the state through a reload, and after the reload a person may have signed in again.
  return state === SIGN_OUT || (state === PASSWORD_CHANGED && arrivedBy === 'PUSH')
}

/**
 * Signs out on arriving at home. An earlier sign-out would be wrong: a form with unsaved changes may stop the
 * navigation, and the guard would remember a page that only members may see.
 */
export function useSignOutOnArrival(): void {
  const { state } = useLocation()
  const isLeaving = useIsLeaving()
  const navigate = useNavigate()
  useEffect(() => {
    if (!isLeaving) return
    if (state === PASSWORD_CHANGED) {
      void forgetSession()
      void navigate(paths.home(), { replace: true, state })
      return
    }
    void signOut()
      // If the server cannot be reached, the banner says so and the session stays.
      .catch(() => undefined)
      .then(() => navigate(paths.home(), { replace: true }))
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once per arrival, whatever else changes
  }, [isLeaving])
}
