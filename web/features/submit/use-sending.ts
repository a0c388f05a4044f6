/** Sends a program until the judge has it. */
import { useRef, useState } from 'react'
import { isRefusal, LOCAL_ERROR_CODES } from '../../lib/api-error.ts'
import type { DraftOwner } from '../../lib/draft.ts'
import { whenTaken, whileBusy } from '../../lib/patient-call.ts'
import { submitCode } from './api.ts'
import { dropOutgoing, keepOutgoing, readOutgoing, type Outgoing } from './outgoing.ts'

/** Why a program has not arrived yet, and when it is sent again (epoch ms). */
export interface Delay {
  why: 'busy' | 'lost'
  untilMs: number
}

/** What stops the tries of a program that is not to be sent any more. */
class Cancelled extends Error {}

/** Waits for a busy judge and a lost connection, and keeps the program for a reload meanwhile. */
export function useSending(owner: DraftOwner) {
  const ending = useRef<AbortController>(null)
  const [delay, setDelay] = useState<Delay | null>(null)
  const [isCancelled, setIsCancelled] = useState(false)

  /** @returns the new submission; null when it was cancelled */
  async function send(program: Outgoing) {
    const { key, ...form } = program
    setIsCancelled(false)
    const isKept = keepOutgoing(owner, program)
    ending.current = new AbortController()
    function submit() {
      // Whoever left the page and came back may have cancelled it there.
      if (isKept && readOutgoing(owner)?.key !== key) throw new Cancelled()
      return submitCode({ problemId: owner.problemId, ...form }, key)
    }
    function onWait(seconds: number | null, error: unknown) {
      const why = isRefusal(error, LOCAL_ERROR_CODES.network) ? 'lost' : 'busy'
      if (seconds !== null) setDelay({ why, untilMs: Date.now() + seconds * 1_000 })
    }
    try {
      const { signal } = ending.current
      return await whenTaken(submit, { signal, patience: whileBusy, onWait })
    } catch (error) {
      if (error instanceof Cancelled) return null
      throw error
    } finally {
      dropOutgoing(owner, program)
      setDelay(null)
    }
  }

  function cancel() {
    const program = readOutgoing(owner)
    if (program) dropOutgoing(owner, program)
    setIsCancelled(true)
    ending.current?.abort(new Cancelled())
  }

  return { send, delay, isCancelled, cancel }
}
export type Sending = ReturnType<typeof useSending>
