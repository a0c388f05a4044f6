import { useNavigate } from 'react-router'
import { useSession } from '../lib/session.ts'
import { listUnsubmitted } from '../lib/unsubmitted.ts'
import { paths } from '../paths.ts'
import { codeAtStake } from './code-at-stake.ts'
import { SIGN_OUT } from './use-sign-out-on-arrival.ts'

/** Signs out. It asks first where code that was never submitted would be deleted. */
export function useSignOut(): () => void {
  const navigate = useNavigate()
  const { user } = useSession()
  return function signOut() {
    const codes = user === null ? [] : listUnsubmitted(user.username)
    if (codes.length > 0) codeAtStake.set(codes)
    else void navigate(paths.home(), { state: SIGN_OUT })
  }
}
