import { useEffect, useRef } from 'react'

/** The ref of a button that opens a form in its place: the button gets the focus again when the form is closed. */
export function useReturnFocus(isOpen: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return button
}
