/** Sends a program until the judge has it. */
import { hashKey } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import {
  ApiError,
  isLimited,
  isRefusal,
  isTransient,
  LOCAL_ERROR_CODES,
} from '../../lib/api/api-error.ts'
import type { DraftOwner } from '../../lib/drafts/draft.ts'
import { callWithRetries, whileBusy } from '../../lib/api/patient-call.ts'
import { queryClient } from '../../lib/api/query-client.ts'
import { sessionQuery } from '../../lib/session/session.ts'
import { submitCode } from './api.ts'
import { dropOutgoing, keepOutgoing, readOutgoing, type Outgoing } from './outgoing.ts'

/** Why a program has not arrived yet, and when it is sent again (epoch ms; null: once its author has signed in again). */
export interface Delay {
  why: 'busy' | 'lost' | 'limited' | 'signedOut' | 'signedIn'
  untilMs: number | null
}

/** Stops the tries: the user has cancelled or left the page, or another person has signed in. */
class Stopped extends Error {}

function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}

/** Resolves once the session is confirmed again: by the dialog, or when another tab has signed in. */
function signedInAgain(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = queryClient.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'success') return
      if (event.query.queryHash !== hashKey(sessionQuery.queryKey)) return
      stop()
      resolve()
    })
    signal.addEventListener('abort', () => {
      stop()
      reject(signal.reason)
    })
  })
}

function reasonOf(error: unknown): Delay['why'] {
  if (isRefusal(error, LOCAL_ERROR_CODES.network)) return 'lost'
  return isLimited(error) ? 'limited' : 'busy'
}

/** Whether a failed call may have reached the judge, so that the next try must have the same key. */
function mayHaveArrived(error: unknown): boolean {
  return isTransient(error) || isLimited(error)
}

/** Fails if another tab has signed in another person, because the submission would become that person's. */
async function demandSender({ username }: DraftOwner): Promise<void> {
  const user = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
  if (user?.username !== username) throw new Stopped()
}

/** Makes a call; if its author is signed out, waits for the sign-in and makes it again. */
async function onceSignedIn<T>(
  call: () => Promise<T>,
  signal: AbortSignal,
  onDelay: (delay: Delay) => void,
): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!isSignedOut(error)) throw error
    onDelay({ why: 'signedOut', untilMs: null })
    await signedInAgain(signal)
    onDelay({ why: 'signedIn', untilMs: Date.now() })
    return onceSignedIn(call, signal, onDelay)
  }
}

/** Sends a program; waits for a busy judge and a lost connection, and keeps the program for a reload. */
export function useSending(owner: DraftOwner) {
  /** Ends the pause between two tries, and the try under way. */
  const ending = useRef<{ pause: AbortController; call: AbortController }>(null)
  const [delay, setDelay] = useState<Delay | null>(null)
  const [isCancelled, setIsCancelled] = useState(false)

  /** @returns the new submission; null when it was stopped */
  async function send(program: Outgoing) {
    const { key, languageType, code } = program
    setIsCancelled(false)
    keepOutgoing(owner, program)
    const { pause, call } = { pause: new AbortController(), call: new AbortController() }
    ending.current = { pause, call }
    let isRepeated = false
    async function submit() {
      if (isRepeated) await demandSender(owner)
      isRepeated = true
      return submitCode({ problemId: owner.problemId, languageType, code }, key, call.signal)
    }
    function onWait(seconds: number | null, error: unknown) {
      if (seconds !== null)
        setDelay({ why: reasonOf(error), untilMs: Date.now() + seconds * 1_000 })
    }
    try {
      const created = await callWithRetries(() => onceSignedIn(submit, pause.signal, setDelay), {
        signal: pause.signal,
        patience: whileBusy,
        onWait,
      })
      dropOutgoing(owner, program)
      return created
    } catch (error) {
      if (error instanceof Stopped) return null
      if (!mayHaveArrived(error)) dropOutgoing(owner, program)
      throw error
    } finally {
      setDelay(null)
    }
  }

  function cancel() {
    const program = readOutgoing(owner)
    if (program) dropOutgoing(owner, program)
    setIsCancelled(true)
    setDelay(null)
    ending.current?.pause.abort(new Stopped())
    ending.current?.call.abort(new Stopped())
  }

  /** Called when the page is left: the try under way may finish, and coming back continues. */
  function leave() {
    ending.current?.pause.abort(new Stopped())
  }

  return { send, delay, isCancelled, cancel, leave }
}
export type Sending = ReturnType<typeof useSending>
