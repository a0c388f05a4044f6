/** Whether the session ended under an open page, which stays until the user has signed in again. */
import { useSyncExternalStore } from 'react'

let ended = false
const listeners = new Set<() => void>()

/** Notes that the session has ended, or that this has been handled. */
export function noteSessionEnd(value: boolean): void {
  if (ended === value) return
  ended = value
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useSessionEnd(): boolean {
  return useSyncExternalStore(subscribe, () => ended)
}
