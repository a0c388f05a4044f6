import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'

/**
 * Navigates as long as the component is on the page: what was saved on a slow connection must not
 * pull people away from where they have gone meanwhile.
 */
export function useNavigateFromHere(): (to: string) => Promise<void> {
  const navigate = useNavigate()
  const here = useRef(true)
  useEffect(() => {
    here.current = true
    return () => {
      here.current = false
    }
  }, [])
  return async function navigateFromHere(to) {
    if (here.current) await navigate(to)
  }
}
