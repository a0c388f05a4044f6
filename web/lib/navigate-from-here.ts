import { useEffect, useRef } from 'react'
import { useNavigate, useNavigation } from 'react-router'

/**
 * Navigates as long as the component is on the page and nobody is on the way to another one: what was saved on a
 * slow connection must not pull people away from where they have gone meanwhile.
 */
export function useNavigateFromHere(): (to: string) => Promise<void> {
  const navigate = useNavigate()
  const isLeaving = useNavigation().state !== 'idle'
  const here = useRef(true)
  useEffect(() => {
    here.current = !isLeaving
    return () => {
      here.current = false
    }
  }, [isLeaving])
  return async function navigateFromHere(to) {
    if (here.current) await navigate(to)
  }
}
