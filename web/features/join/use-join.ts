import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Joined } from '#contract/joining'
import { callWithRetries, whileCrowded } from '../../lib/api/patient-call.ts'

interface JoinCall<Input> {
  send: (input: Input) => Promise<Joined>
  onJoined: (joined: Joined, input: Input) => Promise<void>
  onError?: (error: Error) => void
}

/** A call that joins. A whole room joins at once, so the call waits for its turn; `isCrowded` says that it does. */
export function useJoin<Input = void>({ send, onJoined, onError }: JoinCall<Input>) {
  const [isCrowded, setIsCrowded] = useState(false)
  const attempt = useRef<AbortController>(null)
  useEffect(() => () => attempt.current?.abort(), [])
  const join = useMutation<Joined, Error, Input>({
    mutationFn(input) {
      attempt.current = new AbortController()
      return callWithRetries(() => send(input), {
        signal: attempt.current.signal,
        patience: whileCrowded,
        onWait: (seconds) => setIsCrowded(seconds !== null),
      })
    },
    onSuccess: onJoined,
    ...(onError && { onError }),
  })
  return { join, isCrowded }
}
