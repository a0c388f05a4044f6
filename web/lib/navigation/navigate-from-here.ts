import { useEffect, useRef } from 'react'
import { useNavigate, useNavigation, type NavigateOptions } from 'react-router'

/**
 * Navigates unless the user has left the page or is leaving it: a save that ends late on a slow connection must not
 * pull them away from where they have gone.
 */
export function useNavigateFromHere(): (to: string, options?: NavigateOptions) => Promise<void> {
  const navigate = useNavigate()
  const isLeaving = useNavigation().state !== 'idle'
  const here = useRef(true)
  useEffect(() => {
    here.current = !isLeaving
    return () => {
      here.current = false
    }
  }, [isLeaving])
  return async function navigateFromHere(to, options) {
    if (here.current) await navigate(to, options)
  }
}
