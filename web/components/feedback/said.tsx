import { Text } from '@mantine/core'
import { useEffect, useRef } from 'react'

/** The answer to what somebody has just done; it takes the focus, because the pressed button may be gone. Empty: no answer yet. */
export function Said({ text }: { text: string }) {
  const box = useRef<HTMLOutputElement>(null)
  useEffect(() => {
    if (text !== '') box.current?.focus()
  }, [text])
  // Always rendered, so that screen readers announce changes in it.
  return (
    <Text
      component="output"
      ref={box}
      tabIndex={-1}
      size="sm"
      display="block"
      mb={text === '' ? 0 : 12}
    >
      {text}
    </Text>
  )
}
